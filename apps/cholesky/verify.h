// Checks L twice, using only L and the function that defines A's elements.
#pragma once

#include <vector>

namespace cholesky {

// ||A - L L^T||_F / (n ||A||_F eps), over the lower triangle. `l` is n x n, zero above the
// diagonal.
double scaled_residual(int n, const std::vector<double> &l);

// Largest difference from the factor that LAPACK's dpotrf gives for the whole matrix, relative to
// that factor's largest element, in units of n eps.
double scaled_difference_from_lapack(int n, const std::vector<double> &l);

} // namespace cholesky
