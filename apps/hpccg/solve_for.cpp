#include "common/omp_decls.h"
#include "hpccg/kernels.h"
#include "hpccg/solver.h"

#include <cmath>

namespace hpccg {

namespace {

double dot_all(const Solver &solver, const double *x, const double *y, double *partial) {
    const Block *blocks = solver.blocks->blocks.data();
    const int count = static_cast<int>(solver.blocks->blocks.size());
#pragma omp parallel for schedule(static)
    for (int t = 0; t < count; ++t)
        partial[t] = dot(blocks[t].rows, x, y);
    return apps::ranks::sum(sum_in_order(partial, count));
}

void waxpby_all(const Solver &solver, double alpha, const double *x, double beta, const double *y,
                double *w) {
    const Block *blocks = solver.blocks->blocks.data();
    const int count = static_cast<int>(solver.blocks->blocks.size());
#pragma omp parallel for schedule(static)
    for (int t = 0; t < count; ++t)
        waxpby(blocks[t].rows, alpha, x, beta, y, w);
}

void spmv_all(const Solver &solver, const double *x, double *y) {
    const Block *blocks = solver.blocks->blocks.data();
    const int count = static_cast<int>(solver.blocks->blocks.size());
#pragma omp parallel for schedule(static)
    for (int t = 0; t < count; ++t)
        spmv(blocks[t].rows, *solver.matrix, x, y);
}

// Gets the planes next to this rank's.
void exchange_halos(const Solver &solver, double *p) {
    std::vector<apps::ranks::Message> outgoing;
    std::vector<apps::ranks::Message> incoming;
    for (const Halo &halo : solver.blocks->halos) {
        const std::int64_t plane = halo.own.last - halo.own.first;
        outgoing.push_back({p + halo.own.first, plane, halo.peer, halo.tag_out});
        incoming.push_back({p + halo.first, plane, halo.peer, halo.tag_in});
    }
    apps::ranks::exchange(outgoing, incoming);
}

} // namespace

Solution solve_for(const Solver &solver) {
    State state(solver);
    initialise(solver, state);
    double *x = state.x.get();
    double *r = state.r.get();
    double *p = state.p();
    double *ap = state.ap.get();

    apps::ranks::barrier();
    const double start = omp_get_wtime();
    int done = 0;
    while (done < solver.iterations) {
        exchange_halos(solver, p);
        spmv_all(solver, p, ap);
        const double pap = dot_all(solver, p, ap, state.partial_pap.get());
        const double alpha = ratio(state.rr, pap);
        waxpby_all(solver, 1.0, x, alpha, p, x);
        waxpby_all(solver, 1.0, r, -alpha, ap, r);
        const double rr = dot_all(solver, r, r, state.partial_rr.get());
        const double beta = ratio(rr, state.rr);
        state.rr = rr;
        state.history[static_cast<std::size_t>(done)] = std::sqrt(rr);
        ++done;
        if (solver.tolerance > 0 && std::sqrt(rr) <= solver.tolerance)
            break;
        waxpby_all(solver, 1.0, r, beta, p, p);
    }

    apps::ranks::barrier();
    Solution solution;
    solution.cost.seconds = omp_get_wtime() - start;
    solution.cost.flops = flops(solver, done);
    solution.x = std::move(state.x);
    state.history.resize(static_cast<std::size_t>(done));
    solution.residual_norms = std::move(state.history);
    return solution;
}

} // namespace hpccg
