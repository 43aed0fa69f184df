// A number that counts what is done with it: how many operations equations ask for, by running
// them.
//
// Sums, differences, products, quotients and roots are one operation each, and so is an
// exponential, whatever it takes. Comparisons and changes of sign are none.
#pragma once

#include <cmath>

namespace enclave {

struct Counted {
    double value;
    static inline thread_local long operations = 0;

    Counted() = default;
    Counted(double of) : value(of) {} // implicit, as for Pack

    Counted &operator+=(Counted other) { return *this = *this + other; }
    Counted &operator-=(Counted other) { return *this = *this - other; }
    Counted &operator*=(Counted other) { return *this = *this * other; }
    friend Counted operator+(Counted a, Counted b) { return count(a.value + b.value); }
    friend Counted operator-(Counted a, Counted b) { return count(a.value - b.value); }
    friend Counted operator*(Counted a, Counted b) { return count(a.value * b.value); }
    friend Counted operator/(Counted a, Counted b) { return count(a.value / b.value); }
    friend Counted operator-(Counted a) { return -a.value; }

    static Counted count(double result) { return ++operations, Counted(result); }
};

inline Counted larger(Counted a, Counted b) { return a.value > b.value ? a : b; }
inline Counted magnitude(Counted a) { return std::fabs(a.value); }
inline Counted square_root(Counted a) { return Counted::count(std::sqrt(a.value)); }
inline Counted exponential(Counted a) { return Counted::count(std::exp(a.value)); }
inline Counted inverse_cube_root(Counted a) { return Counted::count(1 / std::cbrt(a.value)); }

} // namespace enclave
