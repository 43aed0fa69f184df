#include "vlasov/advection.h"

#include "vlasov/advance_span.h"

#include <algorithm>
#include <cmath>

namespace vlasov {

namespace {

struct Variant {
    const char *name;
    AdvanceSpan *advance;
};

Variant choose() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return {"AVX-512", advance_span_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {"AVX2", advance_span_avx2};
#endif
    return {"baseline", advance_span_baseline};
}

const Variant kVariant = choose();

} // namespace

Advection::Advection(const Grid &grid, double dt) : grid_(grid), dt_(dt) {
    rows_.resize(static_cast<std::size_t>(grid.nv));
    for (int j = 0; j < grid.nv; ++j) {
        Row &row = rows_[static_cast<std::size_t>(j)];
        row.drift = -dt * grid.v(j) / grid.dx();
        const double half = row.drift / 2;
        const double cell = std::floor(half);
        row.cells = static_cast<int>(cell);
        row.weight = weigh(half - cell);
    }
}

double Advection::largest_drift(double field) const {
    return dt_ * (grid_.v_max + dt_ / 2 * field) / grid_.dx();
}

double Advection::largest_kick(double field) const { return dt_ * field / grid_.dv(); }

const char *Advection::instructions() { return kVariant.name; }

void Advection::advance(Tile &tile, const Region &region, const double *field) const {
    Span span;
    span.stride = tile.stride;
    span.kick = -dt_ / grid_.dv();
    span.turn = dt_ * dt_ / (2 * grid_.dx());
    for (int v = region.first_v; v < region.last_v; ++v) {
        const Row &row = rows_[static_cast<std::size_t>(tile.first_v + v)];
        for (int x = region.first_x; x < region.last_x; x += kLongestSpan) {
            span.count = std::min(region.last_x - x, kLongestSpan);
            span.now = tile.now() + v * tile.stride + x;
            span.next = tile.next() + v * tile.stride + x;
            span.field = field + tile.first_x + x + row.cells - kBefore;
            kVariant.advance(span, row);
        }
    }
}

} // namespace vlasov
