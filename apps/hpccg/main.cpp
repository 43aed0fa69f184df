#include "common/dependence_set.h"
#include "common/omp_decls.h"
#include "common/options.h"
#include "common/ranks.h"
#include "common/report.h"
#include "hpccg/problem.h"
#include "hpccg/solver.h"
#include "hpccg/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace hpccg;
namespace ranks = apps::ranks;

// Largest difference of the two histories, relative to the reference's value, or to `floor` if that
// is larger: the effect of rounding does not shrink with the residual.
double history_difference(const std::vector<double> &history, const Reference &reference,
                          double floor) {
    if (history.size() != reference.residual_norms.size())
        return std::numeric_limits<double>::infinity();
    double worst = 0;
    for (std::size_t k = 0; k < history.size(); ++k) {
        const double expected = reference.residual_norms[k];
        const double difference = std::fabs(history[k] - expected) / std::max(expected, floor);
        if (!(difference <= worst))
            worst = difference;
    }
    return worst;
}

double largest_error(const double *x, std::int64_t n) {
    double worst = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double error = std::fabs(x[i] - 1.0);
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

double distance_to_ones(const double *x, std::int64_t n) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i)
        sum += (x[i] - 1.0) * (x[i] - 1.0);
    return std::sqrt(sum);
}

void check(const Brick &brick, const Solver &solver, const Solution &solution,
           apps::Report &report) {
    const Reference reference = solve_reference(brick, solver.iterations, solver.tolerance);
    report.text("iterations",
                apps::format("%zu, last residual %.12e", solution.residual_norms.size(),
                             solution.residual_norms.back()));
    // The early iterates are rounded by half a unit in the last place of ||b|| or so, which stays;
    // with the bound of 1e-12 the floor lets just that much pass.
    report.check(
        "history",
        history_difference(solution.residual_norms, reference, 1e-4 * reference.initial_norm),
        1e-12);

    // Diagonal dominance leaves no eigenvalue below 1, hence ||x - 1|| <= ||b - A x||, converged or
    // not. The effect of rounding is measured in units of the vectors' own size.
    const double rounding = 1e-12 * std::sqrt(static_cast<double>(brick.rows()));
    const double residual = true_residual_norm(brick, solution.x.get());
    const double recursive = solution.residual_norms.back();
    report.check("true residual", std::fabs(residual - recursive), 1e-12 * recursive + rounding);
    report.check("error", distance_to_ones(solution.x.get(), brick.rows()),
                 residual * (1 + 1e-12) + rounding);
}

// A sweep shrinks the largest error, so it is no more than ||x_k - 1||, and so than ||b - A x_k||,
// of any sweep k before.
void check_jacobi(const Brick &brick, const Solver &solver, const Solution &solution,
                  apps::Report &report) {
    const Reference reference = solve_jacobi_reference(brick, solver.iterations, solver.tolerance);
    const double last = solution.residual_norms.back();
    report.text("iterations",
                apps::format("%zu, last residual %.12e", solution.residual_norms.size(), last));
    // Each row's residual is computed anew, from 28 values of 27 at most: 27 additions of sums up
    // to 53 may be wrong by half a unit in the last place each, 2e-13 together.
    const double floor = std::sqrt(static_cast<double>(brick.rows()));
    report.check("history", history_difference(solution.residual_norms, reference, floor), 1e-12);
    report.check("error", largest_error(solution.x.get(), brick.rows()),
                 last * (1 + 1e-12) + 1e-12);
}

// The ranks' parts of x, one after another, on the first rank; nothing on the others. A collective,
// so that all ranks do the same: traces of some ranks can then be continued to more.
Array<double> gather(const Brick &brick, Array<double> own) {
    if (ranks::count() == 1)
        return own;
    std::vector<std::int64_t> counts;
    for (int rank = 0; rank < ranks::count(); ++rank) {
        const Slab slab = slab_of(brick, rank, ranks::count());
        counts.push_back((slab.last - slab.first) * brick.plane());
    }
    Array<double> all = ranks::first() ? make_array<double>(brick.rows()) : nullptr;
    ranks::gather(own.get(), all.get(), counts);
    return all;
}

int run(int argc, char **argv) {
    std::string mode = "task";
    std::string method = "cg";
    Brick brick{64, 64, 64};
    int t1 = 0;
    int t2 = 1;
    int iterations = 0;
    double tolerance = 0;
    bool sends_first = false;
    bool ahead = false;
    bool joined = false;
    bool no_check = false;
    std::string dependences = "auto";
    apps::Options options("hpccg", "Conjugate gradient on the 27-point matrix of HPCCG.");
    options.add("mode", &mode, {"for", "task"}, "parallel loops, or dependent tasks");
    options.add("method", &method, {"cg", "jacobi"},
                "conjugate gradient, or Jacobi's sweeps, which wait for no sum");
    options.add("nx", &brick.nx, 1, "points of the brick along x");
    options.add("ny", &brick.ny, 1, "points of the brick along y");
    options.add("nz", &brick.nz, 1, "points of the brick along z");
    options.add("t1", &t1, 0, "vector blocks; 0: 16, or as many as there are rows");
    options.add("t2", &t2, 1, "sub-blocks of a vector block, for the matrix-vector product");
    options.add("iterations", &iterations, 0, "iterations at most; 0: 50, or 500 with --tolerance");
    options.add("tolerance", &tolerance, 0.0, "stop at this ||r||; 0: do all iterations");
    options.add_flag("ahead", &ahead,
                     "with --tolerance: create further tasks, and cancel them on all ranks");
    options.add("dependences", &dependences, {"auto", "list", "set"},
                "of the matrix-vector product: a list in a depend clause, or a set of loomp's");
    options.add_flag("priority-sends", &sends_first,
                     "give the tasks that communicate a priority of 1");
    options.add_flag("joined", &joined,
                     "--mode task: the tasks that make Ap and r also compute their dot products");
    options.add_flag("no-check", &no_check, "do not compute the reference, print no verdict");
    options.parse(argc, argv);
    if (brick.rows() > std::numeric_limits<std::int32_t>::max())
        options.fail(apps::format("%d x %d x %d: at most 2^31 - 1 rows are possible", brick.nx,
                                  brick.ny, brick.nz));
    if (iterations == 0)
        iterations = tolerance > 0 ? 500 : 50;
    if (ahead && tolerance == 0)
        options.fail("--ahead needs --tolerance");
    if (ahead && !ranks::can_stop_ahead())
        options.fail("--ahead needs loomp and MPI");
    const std::string why =
        ranks::objection_to_blocking("--mode task on several ranks", "--mode for");
    if (mode == "task" && !why.empty())
        options.fail(why);
    if (joined && (mode != "task" || t2 != 1))
        options.fail("--joined needs --mode task and --t2 1");
    const bool jacobi = method == "jacobi";
    if (jacobi && (mode != "task" || t2 != 1 || joined || dependences == "set"))
        options.fail("--method jacobi needs --mode task, --t2 1 and --dependences list");
    const bool sets = !jacobi && dependences != "list" && apps::DependenceSet::available();
    if (dependences == "set" && !sets)
        options.fail("--dependences set needs loomp");
    if (brick.nz < ranks::count())
        options.fail(apps::format("%d planes along z for %d ranks: each needs one (--nz)", brick.nz,
                                  ranks::count()));

    // The rows of the rank that has least.
    const std::int64_t rows = std::int64_t(brick.nx) * brick.ny * (brick.nz / ranks::count());
    if (t1 > rows)
        options.fail("--t1 " + std::to_string(t1) + ": a rank's " + std::to_string(rows) +
                     " rows make at most as many blocks");
    if (t1 == 0)
        t1 = static_cast<int>(std::min<std::int64_t>(16, rows));

    apps::Report report;
    const int threads = apps::warm_up_threads();
    const Matrix matrix = build_matrix(brick, slab_of(brick, ranks::rank(), ranks::count()));
    const Array<double> b = build_right_hand_side(matrix);
    const double start = omp_get_wtime();
    const Blocks blocks = cut(matrix, t1, t2, ranks::rank() - 1, ranks::rank() + 1);
    const double cutting = omp_get_wtime() - start;

    report.program(apps::format("hpccg --mode %s%s, %d x %d x %d, T1 %d, T2 %d", mode.c_str(),
                                jacobi ? " --method jacobi" : "", brick.nx, brick.ny, brick.nz, t1,
                                t2),
                   threads);
    if (ranks::count() > 1)
        report.text("ranks", std::to_string(ranks::count()) + ", the first one's part:");
    report.text("matrix", apps::format("%lld rows, %lld nonzeros", (long long)matrix.rows,
                                       (long long)matrix.nonzeros));
    report.text("tiling",
                apps::format("%lld blocks read, of %lld nonzeros, found in %.6f s",
                             (long long)blocks.reads, (long long)blocks.matrix_reads, cutting));
    if (mode == "task")
        report.text("dependences by", sets ? "sets" : "lists");

    const Solver solver{&matrix, &blocks,     b.get(), iterations, tolerance,
                        ahead,   sends_first, sets,    joined};
    Solution solution = jacobi          ? solve_jacobi(solver)
                        : mode == "for" ? solve_for(solver)
                                        : solve_task(solver);
    report.cost(solution.cost);
    solution.x = gather(brick, std::move(solution.x));
    if (ranks::first())
        report.text("checksum",
                    apps::checksum(solution.x.get(), static_cast<std::size_t>(brick.rows())));
    if (no_check)
        return 0;
    check_cut(matrix, blocks, t1, t2, report);
    if (ranks::first())
        (jacobi ? check_jacobi : check)(brick, solver, solution, report);
    return report.finish();
}

} // namespace

int main(int argc, char **argv) { return ranks::run_program(argc, argv, run); }
