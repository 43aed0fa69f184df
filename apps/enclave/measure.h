// Numbers that say what a field is like, over all ranks, which all call these.
#pragma once

#include "enclave/field.h"

#include <string>
#include <vector>

namespace enclave {

// Equal for equal values of all patches.
std::string checksum_of(const Field &field, const Piece &own);

// The mean distance of the observed unknown from the exact solution.
double mean_error(const Problem &problem, const Field &field, const Piece &own, double time);
// Largest less least value of the observed unknown.
double range_of(const Problem &problem, const Field &field, const Piece &own);

// How far the mean of a cell's volumes lies from its middle, at most, in widths of a volume.
double off_centre(const Field &field, const Piece &own);

double largest_magnitude(const Field &field, const Piece &own, int unknown);

struct Total {
    double sum = 0;
    double magnitude = 0; // sum of the values' magnitudes
};
// The totals of each unknown, times the volumes' sizes.
std::vector<Total> totals(const Problem &problem, const Field &field, const Piece &own);
// Largest difference of the sums, relative to the magnitude.
double drift(const std::vector<Total> &before, const std::vector<Total> &after);

} // namespace enclave
