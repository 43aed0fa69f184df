#include "cholesky/verify.h"

#include "cholesky/blas.h"
#include "cholesky/matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cholesky {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

std::vector<double> lower_of_a(int n) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<double> a(size * size, 0.0);
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i)
            a[static_cast<std::size_t>(j) * size + i] = element(n, i, j);
    return a;
}

// Frobenius norm of the lower triangle.
double norm(int n, const std::vector<double> &a) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i)
            sum += a[static_cast<std::size_t>(j) * n + i] * a[static_cast<std::size_t>(j) * n + i];
    return std::sqrt(sum);
}

} // namespace

double scaled_residual(int n, const std::vector<double> &l) {
    constexpr int kPanel = 256;
    std::vector<double> rest = lower_of_a(n);
    const double norm_a = norm(n, rest);
    // Column panel by column panel: what lies above a panel in L is zero and is left out.
    for (int k = 0; k < n; k += kPanel) {
        const std::size_t corner = static_cast<std::size_t>(k) * n + k;
        syrk(n - k, std::min(kPanel, n - k), l.data() + corner, n, rest.data() + corner, n);
    }
    return norm(n, rest) / (n * norm_a * kEpsilon);
}

double scaled_difference_from_lapack(int n, const std::vector<double> &l) {
    std::vector<double> reference = lower_of_a(n);
    int info = 0;
    potrf(n, reference.data(), n, &info);
    if (info != 0)
        return std::numeric_limits<double>::infinity();
    double largest = 0;
    double difference = 0;
    for (std::size_t i = 0; i < l.size(); ++i) {
        largest = std::max(largest, std::fabs(reference[i]));
        const double here = std::fabs(l[i] - reference[i]);
        if (!(here <= difference))
            difference = here;
    }
    return difference / (largest * n * kEpsilon);
}

} // namespace cholesky
