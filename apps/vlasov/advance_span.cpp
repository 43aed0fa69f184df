#include "vlasov/advance_span.h"

namespace vlasov {

namespace {

// The feet of a span's points: the cell that each lies in, relative to its point, and where in it.
struct Feet {
    alignas(64) double x[kLongestSpan];
    alignas(64) double v[kLongestSpan];
    alignas(64) double cell_x[kLongestSpan];
    alignas(64) double cell_v[kLongestSpan];
};

VLASOV_INLINE void find_feet(const Span &span, const Row &row, Feet &feet) {
    const double *field = span.field;
    const Weights weight = row.weight;
    const double kick = span.kick;
    const double turn = span.turn;
    const double drift = row.drift;
#pragma omp simd
    for (int i = 0; i < span.count; ++i) {
        const double e = through(weight, field + i);
        const double along_v = kick * e;
        const double along_x = multiply_add(turn, e, drift);
        feet.cell_x[i] = __builtin_floor(along_x);
        feet.cell_v[i] = __builtin_floor(along_v);
        feet.x[i] = along_x - feet.cell_x[i];
        feet.v[i] = along_v - feet.cell_v[i];
    }
}

// Points first to last, whose feet all lie in one cell relative to them: `from` is the first point
// of the stencil of the span's first one.
VLASOV_INLINE void interpolate(const Feet &feet, int first, int last, const double *from,
                               std::ptrdiff_t stride, double *to) {
#pragma omp simd
    for (int i = first; i < last; ++i) {
        const Weights along_x = weigh(feet.x[i]);
        const Weights along_v = weigh(feet.v[i]);
        const double *row = from + i;
        double value = along_v.a * through(along_x, row);
        value = multiply_add(along_v.b, through(along_x, row + stride), value);
        value = multiply_add(along_v.c, through(along_x, row + 2 * stride), value);
        value = multiply_add(along_v.d, through(along_x, row + 3 * stride), value);
        value = multiply_add(along_v.e, through(along_x, row + 4 * stride), value);
        value = multiply_add(along_v.f, through(along_x, row + 5 * stride), value);
        to[i] = value;
    }
}

VLASOV_INLINE void advance_span(const Span &span, const Row &row) {
    Feet feet;
    find_feet(span, row, feet);
    for (int first = 0, last = 0; first < span.count; first = last) {
        const double cell_x = feet.cell_x[first];
        const double cell_v = feet.cell_v[first];
        for (last = first + 1; last < span.count; ++last)
            if (feet.cell_x[last] != cell_x || feet.cell_v[last] != cell_v)
                break;
        const std::ptrdiff_t offset =
            (static_cast<std::ptrdiff_t>(cell_v) - kBefore) * span.stride +
            static_cast<std::ptrdiff_t>(cell_x) - kBefore;
        interpolate(feet, first, last, span.now + offset, span.stride, span.next);
    }
}

} // namespace

void advance_span_baseline(const Span &span, const Row &row) { advance_span(span, row); }

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void advance_span_avx2(const Span &span, const Row &row) {
    advance_span(span, row);
}

__attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"))) void
advance_span_avx512(const Span &span, const Row &row) {
    advance_span(span, row);
}
#endif

} // namespace vlasov
