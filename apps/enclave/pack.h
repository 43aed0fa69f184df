// A few doubles that are computed together: as many as a register of the processor that the
// program is compiled for has. Each lane is computed as a double alone is, so results do not depend
// on how many there are.
//
// Code that a user writes for `Real` is compiled for Pack in the kernels, and for double elsewhere.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace enclave {

#if defined(__AVX512F__)
inline constexpr int kLanes = 8;
#elif defined(__AVX__)
inline constexpr int kLanes = 4;
#else
inline constexpr int kLanes = 2;
#endif

// Every array that packs are loaded from is a multiple of this long.
inline constexpr int kAlignment = 8;
inline constexpr int padded(int count) {
    return (count + kAlignment - 1) / kAlignment * kAlignment;
}

struct Pack {
    using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
    Lanes lanes;

    Pack() = default;
    Pack(double value) : lanes(value - Lanes{}) {} // implicit, as from int to double
    explicit Pack(Lanes values) : lanes(values) {}

    static Pack load(const double *from) {
        Pack pack;
        std::memcpy(&pack.lanes, from, sizeof pack.lanes);
        return pack;
    }
    void store(double *to) const { std::memcpy(to, &lanes, sizeof lanes); }

    Pack &operator+=(Pack other) { return lanes += other.lanes, *this; }
    Pack &operator-=(Pack other) { return lanes -= other.lanes, *this; }
    Pack &operator*=(Pack other) { return lanes *= other.lanes, *this; }
    friend Pack operator+(Pack a, Pack b) { return Pack(a.lanes + b.lanes); }
    friend Pack operator-(Pack a, Pack b) { return Pack(a.lanes - b.lanes); }
    friend Pack operator*(Pack a, Pack b) { return Pack(a.lanes * b.lanes); }
    friend Pack operator/(Pack a, Pack b) { return Pack(a.lanes / b.lanes); }
    friend Pack operator-(Pack a) { return Pack(-a.lanes); }
};

// The second, if either is NaN.
inline double larger(double a, double b) { return a > b ? a : b; }
inline Pack larger(Pack a, Pack b) { return Pack(a.lanes > b.lanes ? a.lanes : b.lanes); }
inline Pack lesser(Pack a, Pack b) { return Pack(a.lanes < b.lanes ? a.lanes : b.lanes); }

inline double magnitude(double a) { return std::fabs(a); }
inline Pack magnitude(Pack a) { return larger(a, -a); }

inline double square_root(double a) { return std::sqrt(a); }
inline Pack square_root(Pack a) {
    for (int lane = 0; lane < kLanes; ++lane)
        a.lanes[lane] = std::sqrt(a.lanes[lane]);
    return a;
}

// e^a to within 1 or 2 units of the last place, for a from -708 to 709, where it is cut off: 2^n
// times a polynomial on half a power of two. Functions of the library take one lane after another.
inline Pack exponential(Pack a) {
    using Bits = std::int64_t __attribute__((vector_size(kLanes * sizeof(std::int64_t))));
    constexpr double kLog2E = 1.44269504088896340736;
    constexpr double kLn2High = 6.93147180369123816490e-01; // its products with n are exact
    constexpr double kLn2Low = 1.90821492927058770002e-10;
    constexpr double kRounds = 6755399441055744.0; // 1.5 * 2^52: n is in the low bits of the sum
    a = lesser(709.0, larger(-708.0, a));
    const Pack rounded = a * kLog2E + kRounds;
    const Pack n = rounded - kRounds;
    const Pack rest = a - n * kLn2High - n * kLn2Low;
    // Taylor's series; what is left out is below 4e-18.
    constexpr double kTaylor[] = {1. / 6227020800,
                                  1. / 479001600,
                                  1. / 39916800,
                                  1. / 3628800,
                                  1. / 362880,
                                  1. / 40320,
                                  1. / 5040,
                                  1. / 720,
                                  1. / 120,
                                  1. / 24,
                                  1. / 6,
                                  1. / 2,
                                  1.,
                                  1.};
    Pack sum = 0;
    for (const double factor : kTaylor)
        sum = sum * rest + factor;
    Bits power, bits;
    std::memcpy(&power, &rounded.lanes, sizeof power);
    std::memcpy(&bits, &sum.lanes, sizeof bits);
    bits += power << 52;
    std::memcpy(&sum.lanes, &bits, sizeof bits);
    return sum;
}
inline double exponential(double a) { return exponential(Pack(a)).lanes[0]; }

inline double inverse_cube_root(double a) { return 1 / std::cbrt(a); }
inline Pack inverse_cube_root(Pack a) {
    for (int lane = 0; lane < kLanes; ++lane)
        a.lanes[lane] = 1 / std::cbrt(a.lanes[lane]);
    return a;
}

inline double largest_lane(double a) { return a; }
inline double largest_lane(Pack a) {
    double largest = a.lanes[0];
    for (int lane = 1; lane < kLanes; ++lane)
        largest = larger(a.lanes[lane], largest);
    return largest;
}

} // namespace enclave
