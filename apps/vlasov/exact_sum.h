// Sums whose result does not depend on the order of their terms, so neither on tiles, ranks and
// threads. A term is rounded to a multiple of 2^-30, and what is left to one of 2^-66; sums of such
// numbers are exact in double precision as long as those of the terms' magnitudes stay below 2^22,
// and 2^17 terms at most have come together: additions in any order, MPI's included, come to the
// same bits. Less than 2^-67 of a term is lost. (J. Demmel and H. D. Nguyen, Fast reproducible
// floating-point summation, ARITH 2013, have the idea for terms of any size.)
#pragma once

#include "vlasov/lagrange.h"

namespace vlasov {

constexpr int kMostTerms = 1 << 17;

VLASOV_INLINE void add_exactly(double term, double &high, double &low) {
    constexpr double kRoundHigh = 1.5 * (1 << 22); // ulp 2^-30
    constexpr double kRoundLow = 1.5 / (1 << 14);  // ulp 2^-66
    const double coarse = (term + kRoundHigh) - kRoundHigh;
    const double fine = ((term - coarse) + kRoundLow) - kRoundLow;
    high += coarse;
    low += fine;
}

} // namespace vlasov
