#include "cholesky/blas.h"
#include "cholesky/factor.h"
#include "cholesky/verify.h"
#include "common/options.h"
#include "common/report.h"

#include <cstdio>

int main(int argc, char **argv) {
    using namespace cholesky;
    std::string mode = "task";
    int n = 2048;
    int tile = 128;
    bool priorities = false;
    bool no_check = false;
    apps::Options options("cholesky", "Tiled Cholesky factorisation, kernels of serial OpenBLAS.");
    options.add("mode", &mode, {"for", "task"}, "parallel loops per step, or dependent tasks");
    options.add("n", &n, 1, "order of the matrix");
    options.add("tile", &tile, 1, "order of a tile");
    options.add_flag("priority", &priorities, "give the tasks of the critical path a priority");
    options.add_flag("no-check", &no_check, "do not verify, print no verdict");
    options.parse(argc, argv);
    if (tile > n)
        tile = n;

    apps::Report report;
    char text[160];
    const int threads = apps::warm_up_threads();
    std::snprintf(text, sizeof text, "cholesky --mode %s, n %d, tiles of %d%s", mode.c_str(), n,
                  tile, priorities ? ", priorities" : "");
    report.text("program", text);
    std::snprintf(text, sizeof text, "%d threads of %s", threads, apps::openmp_library().c_str());
    report.text("runtime", text);
    bool safe = false;
    const std::string blas = blas_description(&safe);
    report.check("kernels", safe, blas);

    TiledMatrix matrix(n, tile);
    matrix.fill();
    const Factorisation result =
        mode == "for" ? factor_for(matrix) : factor_task(matrix, priorities);
    report.cost(result.cost);
    const std::vector<double> l = matrix.lower();
    report.text("checksum", apps::checksum(l.data(), l.size()));
    if (no_check)
        return 0;

    std::snprintf(text, sizeof text, "info %d", result.info);
    report.check("positive", result.info == 0, text);
    report.check("residual", scaled_residual(n, l), 10);
    report.check("LAPACK's factor", scaled_difference_from_lapack(n, l), 10);
    return report.finish();
}
