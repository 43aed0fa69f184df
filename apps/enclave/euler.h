// Euler's equations of an ideal gas, gamma = 7/5: density, momentum, energy, each per volume.
#pragma once

#include "enclave/equations.h"

namespace enclave {

struct Euler : Equations {
    static constexpr int kUnknowns = 5;
    static constexpr const char *kNames[] = {"density", "momentum x", "momentum y", "momentum z",
                                             "energy"};
    static constexpr bool kHasFlux = true;
    static constexpr double kGamma = 1.4;

    template <class Real> static Real pressure(const Real (&q)[5]) {
        const Real twice_kinetic = (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / q[0];
        return (q[4] - twice_kinetic * 0.5) * (kGamma - 1);
    }

    template <int axis, class Real> static void flux(const Real (&q)[5], Real (&f)[5]) {
        const Real p = pressure(q);
        const Real velocity = q[1 + axis] / q[0];
        for (int u = 0; u < 5; ++u)
            f[u] = q[u] * velocity;
        f[1 + axis] += p;
        f[4] += p * velocity;
    }

    template <int axis, class Real> static Real speed(const Real (&q)[5]) {
        return magnitude(q[1 + axis] / q[0]) + square_root(pressure(q) * kGamma / q[0]);
    }

    // Makes q from density, velocity along x and y, and pressure.
    static void from_primitive(double density, double u, double v, double p, double (&q)[5]) {
        q[0] = density;
        q[1] = density * u;
        q[2] = density * v;
        q[3] = 0;
        q[4] = p / (kGamma - 1) + 0.5 * density * (u * u + v * v);
    }
};

} // namespace enclave
