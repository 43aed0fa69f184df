// Lagrange interpolation of degree 5 on a uniform grid: the polynomial through the six points
// at -2 ... 3 around a foot at t, 0 <= t < 1.
//
// Multiply-adds are written as such: every compiler and every instruction set then rounds alike.
#pragma once

#include <cmath>

namespace vlasov {

constexpr int kBefore = 2; // points of the stencil before the foot's cell

#define VLASOV_INLINE inline __attribute__((always_inline))

VLASOV_INLINE double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }

// The weights of the six points. They are named one by one, not an array: gcc then vectorises loops
// that have them.
struct Weights {
    double a, b, c, d, e, f;
};

VLASOV_INLINE Weights weigh(double t) {
    const double t2 = t * t;
    const double outer = (t2 - t - 6) * (1.0 / 12); // (t + 2) (t - 3) / 12
    const double middle = t2 - t - 2;               // (t + 1) (t - 2)
    const double inner = (t2 - t) * (1.0 / 120);    // t (t - 1) / 120
    const double far = middle * inner;
    const double near = 60 * (outer * inner); // t (t - 1) (t + 2) (t - 3) / 24
    const double next = outer * middle;
    return {far * (3 - t), near * (t - 2),  next * (1 - t),
            next * t,      near * (-1 - t), far * (t + 2)};
}

// The polynomial through six values, at the foot that the weights are of.
VLASOV_INLINE double through(const Weights &weight, const double *values) {
    double sum = weight.a * values[0];
    sum = multiply_add(weight.b, values[1], sum);
    sum = multiply_add(weight.c, values[2], sum);
    sum = multiply_add(weight.d, values[3], sum);
    sum = multiply_add(weight.e, values[4], sum);
    return multiply_add(weight.f, values[5], sum);
}

} // namespace vlasov
