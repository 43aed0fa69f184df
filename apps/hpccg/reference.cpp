// The independent answer: the same iteration, but serial, without a matrix, with sums that carry
// their rounding error along.
#include "hpccg/problem.h"

#include <cmath>

namespace hpccg {

namespace {

// The operator by coordinates: 27 x_i minus the neighbours, that is 28 x_i minus the whole 3x3x3
// box around i.
void apply(const Brick &brick, const std::vector<double> &x, std::vector<double> &y) {
    const auto at = [&](int i, int j, int k) {
        return static_cast<std::size_t>((std::int64_t{k} * brick.ny + j) * brick.nx + i);
    };
    for (int k = 0; k < brick.nz; ++k) {
        for (int j = 0; j < brick.ny; ++j) {
            for (int i = 0; i < brick.nx; ++i) {
                double box = 0;
                for (int kk = k > 0 ? k - 1 : 0; kk <= k + 1 && kk < brick.nz; ++kk)
                    for (int jj = j > 0 ? j - 1 : 0; jj <= j + 1 && jj < brick.ny; ++jj)
                        for (int ii = i > 0 ? i - 1 : 0; ii <= i + 1 && ii < brick.nx; ++ii)
                            box += x[at(ii, jj, kk)];
                y[at(i, j, k)] = 28.0 * x[at(i, j, k)] - box;
            }
        }
    }
}

// Neumaier's compensated sum of the products.
double dot(const std::vector<double> &x, const std::vector<double> &y) {
    double sum = 0;
    double lost = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double term = x[i] * y[i];
        const double next = sum + term;
        lost += std::fabs(sum) >= std::fabs(term) ? (sum - next) + term : (term - next) + sum;
        sum = next;
    }
    return sum + lost;
}

std::vector<double> right_hand_side(const Brick &brick) {
    const auto rows = static_cast<std::size_t>(brick.rows());
    std::vector<double> b(rows);
    apply(brick, std::vector<double>(rows, 1.0), b);
    return b;
}

} // namespace

Reference solve_reference(const Brick &brick, int iterations, double tolerance) {
    const auto rows = static_cast<std::size_t>(brick.rows());
    Reference result;
    result.x.assign(rows, 0.0);
    std::vector<double> r = right_hand_side(brick);
    std::vector<double> p = r;
    std::vector<double> ap(rows);
    double rr = dot(r, r);
    result.initial_norm = std::sqrt(rr);
    for (int k = 0; k < iterations; ++k) {
        apply(brick, p, ap);
        const double pap = dot(p, ap);
        const double alpha = pap == 0 ? 0 : rr / pap; // both are zero once r is
        for (std::size_t i = 0; i < rows; ++i) {
            result.x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        const double next = dot(r, r);
        result.residual_norms.push_back(std::sqrt(next));
        if (tolerance > 0 && std::sqrt(next) <= tolerance)
            break;
        const double beta = rr == 0 ? 0 : next / rr;
        rr = next;
        for (std::size_t i = 0; i < rows; ++i)
            p[i] = r[i] + beta * p[i];
    }
    return result;
}

Reference solve_jacobi_reference(const Brick &brick, int sweeps, double tolerance) {
    const auto rows = static_cast<std::size_t>(brick.rows());
    Reference result;
    result.x.assign(rows, 0.0);
    const std::vector<double> b = right_hand_side(brick);
    std::vector<double> residual(rows);
    result.initial_norm = std::sqrt(dot(b, b));
    for (int k = 0; k < sweeps; ++k) {
        apply(brick, result.x, residual);
        for (std::size_t i = 0; i < rows; ++i) {
            residual[i] = b[i] - residual[i];
            result.x[i] += residual[i] / 27.0;
        }
        result.residual_norms.push_back(std::sqrt(dot(residual, residual)));
        if (tolerance > 0 && result.residual_norms.back() <= tolerance)
            break;
    }
    return result;
}

double true_residual_norm(const Brick &brick, const double *x) {
    const auto rows = static_cast<std::size_t>(brick.rows());
    std::vector<double> residual = right_hand_side(brick);
    std::vector<double> ax(rows);
    apply(brick, std::vector<double>(x, x + rows), ax);
    for (std::size_t i = 0; i < rows; ++i)
        residual[i] -= ax[i];
    return std::sqrt(dot(residual, residual));
}

} // namespace hpccg
