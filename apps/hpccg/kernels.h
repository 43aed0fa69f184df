// The three operations of the method on a range of rows. All forms of the solver call these, so
// that they differ in how work is handed out and in nothing else.
#pragma once

#include "hpccg/blocks.h"

namespace hpccg {

// Summed by stretches, each in four interleaved sums: rounding errors grow with the length of a
// chain of additions, and a chain of a whole block would cost two digits of the residual.
constexpr std::int64_t kStretch = 512;

inline double dot(Range rows, const double *x, const double *y) {
    double total = 0;
    for (std::int64_t first = rows.first; first < rows.last; first += kStretch) {
        const std::int64_t last = first + kStretch < rows.last ? first + kStretch : rows.last;
        double sum[4] = {0, 0, 0, 0};
        std::int64_t i = first;
        for (; i + 4 <= last; i += 4)
            for (int lane = 0; lane < 4; ++lane)
                sum[lane] += x[i + lane] * y[i + lane];
        for (; i < last; ++i)
            sum[0] += x[i] * y[i];
        total += (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    return total;
}

// w = alpha * x + beta * y; w may be x or y.
inline void waxpby(Range rows, double alpha, const double *x, double beta, const double *y,
                   double *w) {
    for (std::int64_t i = rows.first; i < rows.last; ++i)
        w[i] = alpha * x[i] + beta * y[i];
}

// x is the vector's part of this slab, with the planes of other ranks next to it in memory.
inline void spmv(Range rows, const Matrix &matrix, const double *x, double *y) {
    const std::int64_t *row_start = matrix.row_start.get();
    const std::int32_t *column = matrix.column.get();
    const double *value = matrix.value.get();
    for (std::int64_t i = rows.first; i < rows.last; ++i) {
        double sum = 0;
        for (std::int64_t at = row_start[i]; at < row_start[i + 1]; ++at)
            sum += value[at] * x[column[at]];
        y[i] = sum;
    }
}

// Applies `make` to each stretch of the rows, and adds up the dot product of its results while they
// are in the cache: the same operations in the same order as `make` and dot() for all rows.
template <typename Make>
double make_and_dot(Range rows, const double *x, const double *y, const Make &make) {
    double total = 0;
    for (std::int64_t first = rows.first; first < rows.last; first += kStretch) {
        const Range part = {first, first + kStretch < rows.last ? first + kStretch : rows.last};
        make(part);
        total += dot(part, x, y);
    }
    return total;
}

// A quotient of the method; zero over zero, which is what is left when a residual has become
// exactly zero, stands for a step of no length.
inline double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

// Sums of dot products are added in block order whichever thread computed them.
inline double sum_in_order(const double *partial, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += partial[i];
    return sum;
}

} // namespace hpccg
