// Einstein's equations in vacuum as a hyperbolic system of first order: CCZ4 with 59 unknowns. The
// metric is taken apart into a conformal one of determinant 1, gamma, and a factor phi; what
// derivatives occur are unknowns themselves, and the constraints of the theory travel and decay as
// Theta and Gamma-hat say. There is no flux; all is a nonconservative product and a source.
//
// Names as in the source, tensors with indices i, j, k, l, m, n from 0 to 2:
//
//     gamma_ij, A_ij       conformal metric, and the conformal extrinsic curvature without trace
//     Theta, Gamma^i       deviation of the constraints of Hamilton and of momentum
//     ln alpha, beta^i     lapse and shift; b^i drives the shift
//     a_k, B_k^i, D_kij, P_k   derivatives of ln alpha, beta^i, gamma_ij / 2, ln phi
//     K, ln phi, K0        trace of the extrinsic curvature; conformal factor; K at the start
//
// The lapse is harmonic, g(alpha) = 1, and the shift stands still, s = 0: equations of beta, b and
// B are those of constants.
//
// Source: M. Dumbser, F. Guercilena, S. Koeppel, L. Rezzolla, O. Zanotti, Phys. Rev. D 97, 084053
// (2018), equations (12).
#pragma once

#include "enclave/equations.h"

namespace enclave {

// A symmetric tensor's places: xx, xy, xz, yy, yz, zz.
inline constexpr int kSymmetric[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

struct Ccz4 : Equations {
    static constexpr int kUnknowns = 59;
    static constexpr const char *kNames[kUnknowns] = {
        "gamma xx", "gamma xy", "gamma xz", "gamma yy", "gamma yz", "gamma zz", "A xx",
        "A xy",     "A xz",     "A yy",     "A yz",     "A zz",     "Theta",    "Gamma x",
        "Gamma y",  "Gamma z",  "ln alpha", "beta x",   "beta y",   "beta z",   "b x",
        "b y",      "b z",      "a x",      "a y",      "a z",      "B x x",    "B x y",
        "B x z",    "B y x",    "B y y",    "B y z",    "B z x",    "B z y",    "B z z",
        "D xxx",    "D xxy",    "D xxz",    "D xyy",    "D xyz",    "D xzz",    "D yxx",
        "D yxy",    "D yxz",    "D yyy",    "D yyz",    "D yzz",    "D zxx",    "D zxy",
        "D zxz",    "D zyy",    "D zyz",    "D zzz",    "K",        "ln phi",   "P x",
        "P y",      "P z",      "K0"};
    static constexpr bool kHasProduct = true;
    static constexpr bool kHasSource = true;
    static constexpr bool kHasConstraints = true;

    // The places where each one's components begin.
    enum Place {
        kGamma = 0,
        kA = 6,
        kTheta = 12,
        kGammaHat = 13,
        kLapse = 16,
        kShift = 17,
        kDriver = 20,
        kLapseSlope = 23,
        kShiftSlope = 26,
        kMetricSlope = 35,
        kTrace = 53,
        kPhi = 54,
        kPhiSlope = 55,
        kStartTrace = 58
    };

    // How fast constraints decay, and travel.
    static constexpr double kKappa1 = 0.1;
    static constexpr double kKappa2 = 0;
    static constexpr double kKappa3 = 0.5;
    static constexpr double kCleaningSpeed = 1; // e
    static constexpr double kCoupling = 1;      // c, of Theta to K
    // The fastest signal's speed in units of that of light, for these parameters.
    static constexpr double kFastest = 1;

    template <int axis, class Real>
    static void product(const Real (&q)[kUnknowns], const Real (&dq)[kUnknowns],
                        Real (&b)[kUnknowns]);
    template <class Real> static void source(const Real (&q)[kUnknowns], Real (&s)[kUnknowns]);
    template <class Real> static void constrain(Real (&q)[kUnknowns]);
    template <int axis, class Real> static Real speed(const Real (&q)[kUnknowns]);
};

// A field's metric, and what is made of it alone.
template <class Real> struct Metric {
    Real lower[3][3];
    Real upper[3][3]; // the inverse, for a determinant of 1
    Real lapse;
    Real phi_squared;

    explicit Metric(const Real (&q)[Ccz4::kUnknowns]) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                lower[i][j] = q[Ccz4::kGamma + kSymmetric[i][j]];
        for (int i = 0; i < 3; ++i) {
            for (int j = i; j < 3; ++j) {
                const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
                upper[i][j] = lower[a][c] * lower[b][d] - lower[a][d] * lower[b][c];
                upper[j][i] = upper[i][j];
            }
        }
        lapse = exponential(q[Ccz4::kLapse]);
        const Real phi = exponential(q[Ccz4::kPhi]);
        phi_squared = phi * phi;
    }

    // The trace of a tensor with lower indices.
    Real trace(const Real (&tensor)[3][3]) const {
        Real sum = 0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                sum += upper[i][j] * tensor[i][j];
        return sum;
    }
    void remove_trace(Real (&tensor)[3][3]) const {
        const Real third = trace(tensor) * (1.0 / 3);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                tensor[i][j] -= lower[i][j] * third;
    }
};

} // namespace enclave

#include "enclave/ccz4_product.h"
#include "enclave/ccz4_source.h"
