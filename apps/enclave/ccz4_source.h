// The terms of CCZ4 without derivatives, and the algebraic constraints.
#pragma once

#include "enclave/ccz4.h"

namespace enclave {

// The parts of the source that come from the unknowns' values alone: where derivatives of unknowns
// would stand there is nothing.
template <class Real> struct Connection {
    Real slope[3][3][3];       // D_kij
    Real slope_upper[3][3][3]; // D_k^ij
    Real conformal[3][3][3];   // Christoffel symbols of gamma, upper index first
    Real full[3][3][3];        // of the metric itself
    Real contracted[3];        // Gamma^i of the metric gamma
    Real z_upper[3];           // gamma^ij Z_j
    Real z[3];                 // Z_i

    Connection(const Real (&q)[Ccz4::kUnknowns], const Metric<Real> &metric) {
        const auto &lower = metric.lower;
        const auto &upper = metric.upper;
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    slope[k][i][j] = q[Ccz4::kMetricSlope + 6 * k + kSymmetric[i][j]];
        for (int k = 0; k < 3; ++k)
            raise(upper, slope[k], slope_upper[k]);

        Real phi_slope_upper[3];
        for (int m = 0; m < 3; ++m) {
            phi_slope_upper[m] = 0;
            for (int l = 0; l < 3; ++l)
                phi_slope_upper[m] += upper[m][l] * q[Ccz4::kPhiSlope + l];
        }
        for (int m = 0; m < 3; ++m) {
            contracted[m] = 0;
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    Real sum = 0;
                    for (int l = 0; l < 3; ++l)
                        sum += upper[m][l] * (slope[i][j][l] + slope[j][i][l] - slope[l][i][j]);
                    conformal[m][i][j] = sum;
                    contracted[m] += upper[i][j] * sum;
                    sum += lower[i][j] * phi_slope_upper[m];
                    if (m == j)
                        sum -= q[Ccz4::kPhiSlope + i];
                    if (m == i)
                        sum -= q[Ccz4::kPhiSlope + j];
                    full[m][i][j] = sum;
                }
            }
            z_upper[m] = (q[Ccz4::kGammaHat + m] - contracted[m]) * 0.5;
        }
        for (int i = 0; i < 3; ++i) {
            z[i] = 0;
            for (int j = 0; j < 3; ++j)
                z[i] += lower[i][j] * z_upper[j];
        }
    }

    static void raise(const Real (&upper)[3][3], const Real (&from)[3][3], Real (&to)[3][3]) {
        Real half[3][3];
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                half[i][j] = 0;
                for (int l = 0; l < 3; ++l)
                    half[i][j] += upper[i][l] * from[l][j];
            }
        }
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                to[i][j] = 0;
                for (int l = 0; l < 3; ++l)
                    to[i][j] += half[i][l] * upper[l][j];
            }
        }
    }
};

// R_ij + D_i Z_j + D_j Z_i.
template <class Real>
inline void
curvature_without_derivatives(const Real (&q)[Ccz4::kUnknowns], const Metric<Real> &metric,
                              const Connection<Real> &connection, Real (&curvature)[3][3]) {
    const auto &lower = metric.lower;
    const auto &upper = metric.upper;
    const auto &slope = connection.slope;
    const auto &slope_upper = connection.slope_upper;
    const auto &full = connection.full;
    const Real *phi_slope = q + Ccz4::kPhiSlope;

    // D_k^ml times the Christoffel symbol with its first index lowered, for the derivatives of
    // both kinds of Christoffel symbols.
    const auto first_kind = [&](int l, int i, int j) {
        return slope[i][j][l] + slope[j][i][l] - slope[l][i][j];
    };
    // d_k of the full symbol's part that does not contain derivatives of unknowns.
    const auto change = [&](int k, int m, int i, int j) {
        Real sum = 0;
        for (int l = 0; l < 3; ++l) {
            const Real phi_part = lower[j][l] * phi_slope[i] + lower[i][l] * phi_slope[j] -
                                  lower[i][j] * phi_slope[l];
            sum += slope_upper[k][m][l] * (phi_part - first_kind(l, i, j)) * 2.0;
            sum -= upper[m][l] *
                   (slope[k][j][l] * phi_slope[i] + slope[k][i][l] * phi_slope[j] -
                    slope[k][i][j] * phi_slope[l]) *
                   2.0;
        }
        return sum;
    };
    // d_k of the contracted conformal symbols, likewise.
    Real contracted_change[3][3];
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            Real sum = 0;
            for (int j = 0; j < 3; ++j) {
                for (int l = 0; l < 3; ++l) {
                    sum -= slope_upper[k][j][l] * connection.conformal[i][j][l] * 2.0;
                    for (int m = 0; m < 3; ++m)
                        sum -= upper[j][l] * slope_upper[k][i][m] * first_kind(m, j, l) * 2.0;
                }
            }
            contracted_change[k][i] = sum;
        }
    }

    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            Real ricci = 0;
            Real z_slope = 0; // D_i Z_j
            for (int m = 0; m < 3; ++m) {
                ricci += change(m, m, i, j) - change(j, m, i, m);
                z_slope += slope[i][j][m] * connection.z_upper[m] * 2.0 -
                           lower[j][m] * contracted_change[i][m] * 0.5 -
                           full[m][i][j] * connection.z[m];
                for (int l = 0; l < 3; ++l)
                    ricci += full[l][i][j] * full[m][l][m] - full[l][i][m] * full[m][l][j];
            }
            curvature[i][j] = ricci + z_slope * 2.0;
        }
    }
    // Each in both orders: one half of the sum.
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j)
            curvature[i][j] = curvature[j][i] = (curvature[i][j] + curvature[j][i]) * 0.5;
}

template <class Real> inline void Ccz4::source(const Real (&q)[kUnknowns], Real (&s)[kUnknowns]) {
    constexpr auto at = [](int i, int j) { return kSymmetric[i][j]; };
    const Metric<Real> metric(q);
    const Connection<Real> connection(q, metric);
    const auto &lower = metric.lower;
    const auto &upper = metric.upper;
    const Real lapse = metric.lapse;
    const Real theta = q[kTheta];
    const Real trace = q[kTrace];
    const Real *shift = q + kShift;
    const Real *lapse_slope = q + kLapseSlope;
    const Real *phi_slope = q + kPhiSlope;
    const auto shift_slope = [&](int k, int i) { return q[kShiftSlope + 3 * k + i]; };
    const Real divergence = shift_slope(0, 0) + shift_slope(1, 1) + shift_slope(2, 2);

    Real a[3][3];
    Real a_upper[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a[i][j] = q[kA + at(i, j)];
    Connection<Real>::raise(upper, a, a_upper);
    const Real a_trace = metric.trace(a);
    Real a_squared = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a_squared += a[i][j] * a_upper[i][j];

    Real curvature[3][3];
    curvature_without_derivatives(q, metric, connection, curvature);
    const Real scalar = metric.phi_squared * metric.trace(curvature);
    Real drive[3][3]; // D_i D_j alpha - alpha (R_ij + D_i Z_j + D_j Z_i)
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            Real sum = lapse_slope[i] * lapse_slope[j] - curvature[i][j];
            for (int k = 0; k < 3; ++k)
                sum -= connection.full[k][i][j] * lapse_slope[k];
            drive[i][j] = lapse * sum;
        }
    }
    const Real drive_trace = metric.phi_squared * metric.trace(drive);
    metric.remove_trace(drive);

    for (int u = 0; u < kUnknowns; ++u)
        s[u] = 0;
    const Real gauge = trace - q[kStartTrace] - theta * (2 * kCoupling);
    const Real damped = trace - theta * (2 * kCoupling);
    s[kLapse] = -(lapse * gauge);
    s[kPhi] = (lapse * trace - divergence) * (1.0 / 3);
    for (int k = 0; k < 3; ++k) {
        s[kLapse] += shift[k] * lapse_slope[k];
        s[kPhi] += shift[k] * phi_slope[k];
    }
    s[kTrace] =
        lapse * trace * damped - drive_trace - lapse * theta * (3 * kKappa1 * (1 + kKappa2));
    s[kTheta] = lapse * ((scalar + trace * trace * (2.0 / 3) - a_squared) *
                             (0.5 * kCleaningSpeed * kCleaningSpeed) -
                         theta * trace * kCoupling - theta * (kKappa1 * (2 + kKappa2)));
    for (int i = 0; i < 3; ++i)
        s[kTheta] -= metric.phi_squared * connection.z_upper[i] * lapse * lapse_slope[i];

    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            Real metric_change = lower[i][j] * divergence * (-2.0 / 3) -
                                 lapse * (a[i][j] - lower[i][j] * a_trace * (1.0 / 3)) * 2.0;
            Real a_change = lapse * a[i][j] * damped - metric.phi_squared * drive[i][j] -
                            a[i][j] * divergence * (2.0 / 3);
            for (int k = 0; k < 3; ++k) {
                metric_change += shift[k] * connection.slope[k][i][j] * 2.0 +
                                 lower[k][i] * shift_slope(j, k) + lower[k][j] * shift_slope(i, k);
                a_change += a[k][i] * shift_slope(j, k) + a[k][j] * shift_slope(i, k);
                for (int l = 0; l < 3; ++l)
                    a_change -= lapse * a[i][k] * upper[k][l] * a[l][j] * 2.0;
            }
            s[kGamma + at(i, j)] = metric_change;
            s[kA + at(i, j)] = a_change;
        }
    }

    for (int i = 0; i < 3; ++i) {
        Real sum = connection.contracted[i] * divergence * (2.0 / 3) +
                   connection.z_upper[i] * divergence * (4.0 / 3 * kKappa3) -
                   lapse * connection.z_upper[i] * (trace * (4.0 / 3) + 2 * kKappa1);
        for (int j = 0; j < 3; ++j) {
            sum -= (connection.contracted[j] + connection.z_upper[j] * (2 * kKappa3)) *
                   shift_slope(j, i);
            sum -= lapse * a_upper[i][j] * (phi_slope[j] * 6.0 + lapse_slope[j] * 2.0);
            sum -= lapse * upper[i][j] * theta * lapse_slope[j] * 2.0;
            for (int k = 0; k < 3; ++k)
                sum += lapse * connection.conformal[i][j][k] * a_upper[j][k] * 2.0;
        }
        s[kGammaHat + i] = sum;
    }

    for (int k = 0; k < 3; ++k) {
        Real lapse_change = -(lapse * lapse_slope[k] * gauge);
        Real phi_change = lapse * lapse_slope[k] * trace * (1.0 / 3);
        Real slope_in_a = 0; // D_k^nm A_nm
        for (int l = 0; l < 3; ++l) {
            lapse_change += shift_slope(k, l) * lapse_slope[l];
            phi_change += shift_slope(k, l) * phi_slope[l];
            for (int m = 0; m < 3; ++m)
                slope_in_a += connection.slope_upper[k][l][m] * a[l][m];
        }
        s[kLapseSlope + k] = lapse_change;
        s[kPhiSlope + k] = phi_change;
        for (int i = 0; i < 3; ++i) {
            for (int j = i; j < 3; ++j) {
                Real sum = -(connection.slope[k][i][j] * divergence * (2.0 / 3)) -
                           lapse * lower[i][j] * slope_in_a * (2.0 / 3) -
                           lapse * lapse_slope[k] * (a[i][j] - lower[i][j] * a_trace * (1.0 / 3));
                for (int l = 0; l < 3; ++l)
                    sum += shift_slope(k, l) * connection.slope[l][i][j] +
                           shift_slope(j, l) * connection.slope[k][l][i] +
                           shift_slope(i, l) * connection.slope[k][l][j];
                s[kMetricSlope + 6 * k + at(i, j)] = sum;
            }
        }
    }
}

// The determinant of gamma is 1; A and D have no trace.
template <class Real> inline void Ccz4::constrain(Real (&q)[kUnknowns]) {
    Real determinant = 0;
    for (int i = 0; i < 3; ++i) {
        const auto gamma = [&](int row, int column) { return q[kGamma + kSymmetric[row][column]]; };
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        determinant += gamma(0, i) * (gamma(1, a) * gamma(2, b) - gamma(1, b) * gamma(2, a));
    }
    const Real scale = inverse_cube_root(determinant);
    for (int u = 0; u < 6; ++u)
        q[kGamma + u] *= scale;
    const Metric<Real> metric(q);
    for (const int place : {int{kA}, int{kMetricSlope}, kMetricSlope + 6, kMetricSlope + 12}) {
        Real tensor[3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                tensor[i][j] = q[place + kSymmetric[i][j]];
        metric.remove_trace(tensor);
        for (int i = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j)
                q[place + kSymmetric[i][j]] = tensor[i][j];
    }
}

} // namespace enclave
