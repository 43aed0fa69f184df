// The innermost part of the advection: some points of a row. Compiled for several instruction sets
// from one source, which come to the same bits, as multiply-adds are written out everywhere
// (without the instruction the C library computes them, which is slow).
#pragma once

#include "vlasov/advection.h"

#include <cstddef>

namespace vlasov {

constexpr int kLongestSpan = 64;

struct Span {
    int count;             // the number of points, at most kLongestSpan
    const double *now;     // f at the first point
    double *next;          // the next step's f at the first point
    std::ptrdiff_t stride; // between rows of f
    const double *field;   // at the first point of the first one's stencil for E
    double kick;           // -dt / dv
    double turn;           // dt^2 / (2 dx): what the kick adds to the drift, in cells
};

using AdvanceSpan = void(const Span &span, const Row &row);

AdvanceSpan advance_span_baseline;
AdvanceSpan advance_span_avx2;
AdvanceSpan advance_span_avx512;

} // namespace vlasov
