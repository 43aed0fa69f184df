#include "hpccg/kernels.h"
#include "hpccg/solver.h"

namespace hpccg {

State::State(const Solver &solver)
    : x(make_array<double>(solver.matrix->rows)), r(make_array<double>(solver.matrix->rows)),
      ap(make_array<double>(solver.matrix->rows)),
      p_with_halos(make_array<double>(solver.matrix->halo_before + solver.matrix->rows +
                                      solver.matrix->halo_after)),
      halo_before(solver.matrix->halo_before),
      blocks(static_cast<int>(solver.blocks->blocks.size())) {
    partial_pap = make_array<double>(blocks);
    partial_rr = make_array<double>(blocks);
    history.resize(static_cast<std::size_t>(solver.iterations));
}

void initialise(const Solver &solver, State &state) {
    const Block *blocks = solver.blocks->blocks.data();
    double *p = state.p();
#pragma omp parallel for schedule(static)
    for (int t = 0; t < state.blocks; ++t) {
        for (std::int64_t i = blocks[t].rows.first; i < blocks[t].rows.last; ++i) {
            state.x[i] = 0;
            state.r[i] = solver.b[i];
            p[i] = solver.b[i];
            state.ap[i] = 0;
        }
        state.partial_rr[t] = dot(blocks[t].rows, state.r.get(), state.r.get());
    }
    state.rr = apps::ranks::sum(sum_in_order(state.partial_rr.get(), state.blocks));
}

double flops(const Solver &solver, std::int64_t iterations) {
    const double n = apps::ranks::sum(static_cast<double>(solver.matrix->rows));
    const double nonzeros = apps::ranks::sum(static_cast<double>(solver.matrix->nonzeros));
    const double per_iteration = 2 * nonzeros + 2 * (2 * n) + 3 * (3 * n);
    return per_iteration * static_cast<double>(iterations);
}

} // namespace hpccg
