// The three operations of the method on a range of rows. Both forms of the solver call these, so
// that they differ in how work is handed out and in nothing else.
#pragma once

#include "hpccg/blocks.h"

namespace hpccg {

inline double dot(Range rows, const double *x, const double *y) {
    double sum = 0;
    for (std::int64_t i = rows.first; i < rows.last; ++i)
        sum += x[i] * y[i];
    return sum;
}

// w = alpha * x + beta * y; w may be x or y.
inline void waxpby(Range rows, double alpha, const double *x, double beta, const double *y,
                   double *w) {
    for (std::int64_t i = rows.first; i < rows.last; ++i)
        w[i] = alpha * x[i] + beta * y[i];
}

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

// Sums of dot products are added in block order whichever thread computed them.
inline double sum_in_order(const double *partial, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += partial[i];
    return sum;
}

} // namespace hpccg
