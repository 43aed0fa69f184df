#include "cholesky/blas.h"
#include "cholesky/factor.h"
#include "cholesky/verify.h"
#include "common/options.h"
#include "common/ranks.h"
#include "common/report.h"

#include <algorithm>
#include <cstdint>

namespace {

using namespace cholesky;
namespace ranks = apps::ranks;
namespace kept_graph = apps::kept_graph;

int run(int argc, char **argv) {
    std::string mode = "task";
    int n = 2048;
    int tile = 0;
    int copies = 8;
    bool path = false;
    bool sends = false;
    bool no_check = false;
    int spoil = 0;
    Repetitions repetitions;
    apps::Options options("cholesky", "Tiled Cholesky factorisation, kernels of serial OpenBLAS.");
    options.add("mode", &mode, {"for", "task"}, "parallel loops per step, or dependent tasks");
    options.add("n", &n, 1, "order of the matrix");
    options.add("tile", &tile, 0, "order of a tile; 0: 128, or the matrix's");
    options.add("copies", &copies, 1, "steps of which other ranks' tiles can be here at a time");
    options.add_flag("priority", &path, "give the tasks of the critical path a priority");
    options.add_flag("priority-sends", &sends, "give the tasks that send a priority of 1");
    options.add("repeat", &repetitions.count, 1, "factor the matrix so many times");
    options.add("persistent", &repetitions.keep, kept_graph::names(),
                "keep the graph of the first time for the others, on loomp");
    options.add_flag("wait", &repetitions.wait, "with --persistent: wait for all tasks each time");
    options.add_flag("no-check", &no_check, "do not verify, print no verdict");
    options.add(
        "spoil", &spoil, 0,
        "make the factor's first element so many parts in 10^12 too large, to see it found");
    options.parse(argc, argv);
    if (tile > n)
        options.fail("--tile " + std::to_string(tile) + ": more than the order of the matrix, " +
                     std::to_string(n));
    if (tile == 0)
        tile = std::min(n, 128);
    const std::int64_t tiles = (n - 1) / tile + 1;
    if (tiles * tiles > ranks::largest_tag())
        options.fail(apps::format("%lld x %lld tiles: tags of at most %d are possible",
                                  static_cast<long long>(tiles), static_cast<long long>(tiles),
                                  ranks::largest_tag()));
    const std::string why =
        ranks::objection_to_blocking("--mode task on several ranks", "--mode for");
    if (mode == "task" && !why.empty())
        options.fail(why);
    const bool keeps = repetitions.keep != kept_graph::Keep::nothing;
    if (keeps && (mode == "for" || !kept_graph::can_be_kept()))
        options.fail("--persistent needs loomp and --mode task");
    const Priority priority = path ? Priority::path : sends ? Priority::sends : Priority::none;

    apps::Report report;
    const int threads = apps::warm_up_threads();
    TiledMatrix matrix(n, tile, mode == "for" ? 1 : copies);
    const bool replays = repetitions.keep == kept_graph::Keep::everything;
    report.program(apps::format("cholesky --mode %s, n %d, tiles of %d%s%s", mode.c_str(), n, tile,
                                replays ? ", replayed"
                                : keeps ? ", graph kept"
                                        : "",
                                path    ? ", priorities"
                                : sends ? ", priorities of sends"
                                        : ""),
                   threads);
    if (ranks::count() > 1)
        report.text("ranks", apps::format("%d, as %d x %d", ranks::count(), matrix.grid().rows(),
                                          matrix.grid().columns()));
    bool safe = false;
    const std::string blas = blas_description(&safe);
    report.check("kernels", safe, blas);

    matrix.fill();
    if (repetitions.count > 1) {
        matrix.keep_original();
        report.text("repetitions", std::to_string(repetitions.count));
    }
    const Factorisation result = mode == "for" ? factor_for(matrix, repetitions)
                                               : factor_task(matrix, priority, repetitions);
    report.cost(result.cost);
    std::vector<double> l = matrix.lower();
    if (spoil != 0 && ranks::first())
        l[0] *= 1 + 1e-12 * spoil;
    report.text("checksum", apps::checksum(l.data(), l.size()));
    if (no_check)
        return 0;

    report.check("positive", result.info == 0, "info " + std::to_string(result.info));
    if (ranks::first()) {
        report.check("residual", scaled_residual(n, l), 10);
        report.check("LAPACK's factor", scaled_difference_from_lapack(n, l), 10);
    }
    return report.finish();
}

} // namespace

int main(int argc, char **argv) { return ranks::run_program(argc, argv, run); }
