// Jacobi's method in dependent tasks: x = x + (b - A x) / 27, from one of two buffers into the
// other.
//
// A block's sweep depends on the blocks that its rows have columns in, and on nothing else: no
// sweep waits for a sum over all blocks. The norm that ends the method is computed beside the
// sweeps, up to kSweepsAhead later. With `ahead`, the task that finds it small enough cancels the
// later sweeps on all ranks. Blocks then hold the iterate of the last sweep or a later one; none
// has a larger error, because each sweep shrinks the largest error by 26/27 or more.
#include "common/time_tasks.h"
#include "hpccg/kernels.h"
#include "hpccg/solver.h"

#include <cmath>

namespace hpccg {

namespace {

constexpr double kDiagonal = 27;
// The partial sums of so many sweeps have places of their own.
constexpr int kSweepsAhead = 8;

struct Iterates {
    explicit Iterates(const Solver &solver)
        : halo_before(solver.matrix->halo_before),
          partial(make_array<double>(kSweepsAhead *
                                     static_cast<std::int64_t>(solver.blocks->blocks.size()))) {
        for (Array<double> &buffer : buffers)
            buffer =
                make_array<double>(halo_before + solver.matrix->rows + solver.matrix->halo_after);
        history.resize(static_cast<std::size_t>(solver.iterations));
    }

    double *x(int sweep) { return buffers[sweep % 2].get() + halo_before; }

    std::int64_t halo_before;
    Array<double> buffers[2];
    Array<double> partial;
    double norm = 0;
    std::vector<double> history;
};

// Returns the sum of the rows' squared residuals of x.
double sweep_rows(Range rows, const Matrix &matrix, const double *b, const double *x,
                  double *next) {
    spmv(rows, matrix, x, next);
    double total = 0;
    for (std::int64_t i = rows.first; i < rows.last; ++i) {
        const double residual = b[i] - next[i];
        total += residual * residual;
        next[i] = x[i] + residual / kDiagonal;
    }
    return total;
}

// Makes the tasks of one sweep; returns their number.
long create_sweep(const Solver &solver, Iterates &iterates, int sweep) {
    const Matrix *matrix = solver.matrix;
    const double *b = solver.b;
    double *x = iterates.x(sweep);
    double *next = iterates.x(sweep + 1);
    const std::vector<Block> &blocks = solver.blocks->blocks;
    const int count = static_cast<int>(blocks.size());
    double *partial = iterates.partial.get() + std::int64_t{sweep % kSweepsAhead} * count;
    const int urgent = solver.sends_first ? 1 : 0;
    long tasks = 0;

    for (const Halo &halo : solver.blocks->halos) {
        const int peer = halo.peer;
        // Nothing orders the messages of two successive sweeps, which have different buffers.
        const int tag_out = 2 * halo.tag_out + sweep % 2;
        const int tag_in = 2 * halo.tag_in + sweep % 2;
        const Range own = halo.own;
        const std::int64_t *own_blocks = halo.own_blocks.data();
        const int count_blocks = static_cast<int>(halo.own_blocks.size());
        double *incoming = x + halo.first;
#pragma omp task depend(iterator(int j = 0 : count_blocks), in : x[own_blocks[j]])                 \
    priority(urgent) firstprivate(x, own, peer, tag_out)
        apps::ranks::send(x + own.first, own.last - own.first, peer, tag_out);
#pragma omp task depend(out : *incoming) firstprivate(incoming, own, peer, tag_in)
        apps::ranks::receive(incoming, own.last - own.first, peer, tag_in);
        tasks += 2;
    }
    for (int t = 0; t < count; ++t) {
        const SubBlock &sub = blocks[static_cast<std::size_t>(t)].subs.front();
        const Range rows = sub.rows;
        const std::int64_t *reads = sub.reads.data();
        const int count_reads = static_cast<int>(sub.reads.size());
#pragma omp task depend(iterator(int j = 0 : count_reads), in : x[reads[j]])                       \
    depend(out : next[rows.first], partial[t]) firstprivate(matrix, b, x, next, partial, rows, t)
        partial[t] = sweep_rows(rows, *matrix, b, x, next);
        ++tasks;
    }
    double *norm = &iterates.norm;
    double *noted = &iterates.history[static_cast<std::size_t>(sweep)];
    const double enough = solver.ahead ? solver.tolerance : 0;
#pragma omp task depend(iterator(int j = 0 : count), in : partial[j]) depend(inout : *norm)        \
    priority(urgent) firstprivate(partial, count, norm, noted, enough)
    {
        *norm = std::sqrt(apps::ranks::sum(sum_in_order(partial, count)));
        *noted = *norm;
        if (enough > 0 && *norm <= enough)
            apps::ranks::stop_after_this_iteration();
    }
    return tasks + 1;
}

// Returns the number of sweeps done.
int create_all(const Solver &solver, Iterates &iterates, long &tasks) {
    double *norm = &iterates.norm;
    if (solver.ahead)
        apps::ranks::begin_iterations();
    for (int sweep = 0; sweep < solver.iterations; ++sweep) {
        if (solver.ahead && !apps::ranks::next_iteration())
            break;
        tasks += create_sweep(solver, iterates, sweep);
        if (solver.tolerance > 0 && !solver.ahead) {
#pragma omp taskwait depend(in : *norm)
            if (*norm <= solver.tolerance)
                return sweep + 1;
        }
    }
    return solver.ahead ? apps::ranks::end_iterations() : solver.iterations;
}

void clear(const Solver &solver, Iterates &iterates) {
    const Block *blocks = solver.blocks->blocks.data();
    const int count = static_cast<int>(solver.blocks->blocks.size());
    double *x = iterates.x(0);
    double *next = iterates.x(1);
#pragma omp parallel for schedule(static)
    for (int t = 0; t < count; ++t)
        for (std::int64_t i = blocks[t].rows.first; i < blocks[t].rows.last; ++i)
            x[i] = next[i] = 0;
}

} // namespace

Solution solve_jacobi(const Solver &solver) {
    Iterates iterates(solver);
    clear(solver, iterates);

    int done = 0;
    long tasks = 0;
    Solution solution;
    solution.cost = apps::time_tasks([&] { done = create_all(solver, iterates, tasks); });
    solution.cost.flops =
        done * apps::ranks::sum(2.0 * static_cast<double>(solver.matrix->nonzeros) +
                                5.0 * static_cast<double>(solver.matrix->rows));
    solution.cost.tasks = tasks;
    const double *x = iterates.x(done);
    solution.x = make_array<double>(solver.matrix->rows);
    for (std::int64_t i = 0; i < solver.matrix->rows; ++i)
        solution.x[i] = x[i];
    iterates.history.resize(static_cast<std::size_t>(done));
    solution.residual_norms = std::move(iterates.history);
    return solution;
}

} // namespace hpccg
