// The terms of CCZ4 with derivatives, and the characteristic speeds that follow from them.
//
// All derivatives are along one axis. Most second derivatives in the Ricci tensor and in those of Z
// cancel when both are added, which always happens:
//
//     R_ij + D_i Z_j + D_j Z_i = - gamma^kl d_k D_lij + d_(i P_j) + gamma_ij gamma^kl d_k P_l
//                                + gamma_l(i d_j) Gamma^l + terms without derivatives
#pragma once

#include "enclave/ccz4.h"

namespace enclave {

template <int axis, class Real>
inline void Ccz4::product(const Real (&q)[kUnknowns], const Real (&dq)[kUnknowns],
                          Real (&b)[kUnknowns]) {
    constexpr auto at = [](int i, int j) { return kSymmetric[i][j]; };
    const Metric<Real> metric(q);
    const auto &lower = metric.lower;
    const auto &upper = metric.upper;
    const Real lapse = metric.lapse;

    // Carried by the shift, but for those whose derivatives are unknowns, or that stand still.
    for (int u = 0; u < kUnknowns; ++u)
        b[u] = -(q[kShift + axis] * dq[u]);
    for (int u = 0; u < 6; ++u)
        b[kGamma + u] = 0;
    b[kLapse] = b[kPhi] = b[kStartTrace] = 0;
    for (int i = 0; i < 3; ++i) {
        b[kShift + i] = b[kDriver + i] = 0;
        for (int k = 0; k < 3; ++k)
            b[kShiftSlope + 3 * k + i] = 0;
    }

    // curvature: R_ij + D_i Z_j + D_j Z_i; bend: D_i D_j alpha / alpha.
    Real curvature[3][3];
    Real bend[3][3];
    Real phi_bend = 0;
    Real gamma_hat[3];
    for (int l = 0; l < 3; ++l) {
        phi_bend += upper[axis][l] * dq[kPhiSlope + l];
        gamma_hat[l] = 0;
        for (int m = 0; m < 3; ++m)
            gamma_hat[l] += lower[l][m] * dq[kGammaHat + m];
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            Real sum = lower[i][j] * phi_bend;
            for (int l = 0; l < 3; ++l)
                sum -= upper[axis][l] * dq[kMetricSlope + 6 * l + at(i, j)];
            Real slope = 0;
            if (i == axis) {
                sum += (dq[kPhiSlope + j] + gamma_hat[j]) * 0.5;
                slope += dq[kLapseSlope + j] * 0.5;
            }
            if (j == axis) {
                sum += (dq[kPhiSlope + i] + gamma_hat[i]) * 0.5;
                slope += dq[kLapseSlope + i] * 0.5;
            }
            curvature[i][j] = curvature[j][i] = sum;
            bend[i][j] = bend[j][i] = slope;
        }
    }
    const Real scalar = metric.phi_squared * metric.trace(curvature);

    Real drive[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            drive[i][j] = lapse * (bend[i][j] - curvature[i][j]);
    b[kTrace] += metric.phi_squared * metric.trace(drive);
    metric.remove_trace(drive);
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            b[kA + at(i, j)] += metric.phi_squared * drive[i][j];
    b[kTheta] -= lapse * scalar * (0.5 * kCleaningSpeed * kCleaningSpeed);

    for (int i = 0; i < 3; ++i)
        b[kGammaHat + i] += lapse * upper[i][axis] * (dq[kTrace] * (4.0 / 3) - dq[kTheta] * 2.0);
    b[kLapseSlope + axis] += lapse * (dq[kTrace] - dq[kStartTrace] - dq[kTheta] * (2 * kCoupling));
    b[kPhiSlope + axis] -= lapse * dq[kTrace] * (1.0 / 3);

    Real slope[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            slope[i][j] = dq[kA + at(i, j)];
    metric.remove_trace(slope);
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            b[kMetricSlope + 6 * axis + at(i, j)] += lapse * slope[i][j];
}

// The speed of light along the axis; lapse and constraints travel as fast, with these parameters.
template <int axis, class Real> inline Real Ccz4::speed(const Real (&q)[kUnknowns]) {
    const Metric<Real> metric(q);
    const Real light = metric.lapse * square_root(metric.phi_squared * metric.upper[axis][axis]);
    return light * kFastest + magnitude(q[kShift + axis]);
}

} // namespace enclave
