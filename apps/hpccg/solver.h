// Conjugate gradient in two forms that compute the same numbers, bit for bit: the sums of the dot
// products are always formed per block and added in block order, then over the ranks. Ranks differ
// in their slab only.
#pragma once

#include "common/ranks.h"
#include "common/report.h"
#include "hpccg/blocks.h"

#include <vector>

namespace hpccg {

struct Solver {
    const Matrix *matrix;
    const Blocks *blocks;
    const double *b;
    int iterations;
    double tolerance; // stop when ||r|| is no larger; 0 runs all iterations
    bool ahead; // tasks of further iterations are created before it is known that they are needed
    bool sends_first; // tasks that communicate get a priority clause
    bool sets;        // what the product reads is named by sets (common/dependence_set.h)
    bool joined; // a task that makes a block of Ap or r also adds up its dot product; needs T2 = 1
};

struct Solution {
    Array<double> x;
    std::vector<double> residual_norms; // one per iteration done
    apps::Cost cost;
};

// A parallel loop per operation; between them, ranks exchange and wait.
Solution solve_for(const Solver &solver);

// Dependent tasks made by one thread. With tolerance 0 nothing is waited for before the end: the
// scalars pass from task to task as the vectors do, and messages are tasks. With one, the creating
// thread waits for each norm, or goes on (`ahead`), and the task that finds it small enough cancels
// what is later.
Solution solve_task(const Solver &solver);

// Jacobi's method in tasks, on the same matrix. Each norm is that of a sweep's start: the solution
// is one sweep further, or more with `ahead`. T2 must be 1.
Solution solve_jacobi(const Solver &solver);

// The vectors and scalars of one solution, shared by both forms.
struct State {
    explicit State(const Solver &solver);

    double *p() { return p_with_halos.get() + halo_before; }

    Array<double> x, r, ap;
    Array<double> p_with_halos; // between the planes below and above, of other ranks
    std::int64_t halo_before;
    Array<double> partial_pap, partial_rr; // one per block
    double alpha = 0;
    double beta = 0;
    double rr = 0;               // r . r of the iteration before
    std::vector<double> history; // it has `iterations` places
    int blocks;
};

// Sets x to 0, r and p to b, by the threads that will use the blocks; and rr.
void initialise(const Solver &solver, State &state);

double flops(const Solver &solver, std::int64_t iterations);

} // namespace hpccg
