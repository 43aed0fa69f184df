// The flux through the face between two volumes, after Rusanov: the mean of both sides' fluxes,
// less the jump times half the largest speed, which keeps the scheme stable and smears waves out as
// a viscosity of speed * width / 2 would. The nonconservative product acts on the jump; each side
// gets half of it.
//
// Source: V. V. Rusanov, J. Comput. Math. Phys. USSR 1 (1961); for the product, along the straight
// path between both sides: M. Castro, J. Gallardo, C. Pares, Math. Comp. 75 (2006).
#pragma once

#include "enclave/pack.h"

namespace enclave {

// One side of a face.
template <class E, class Real> struct Side {
    Real q[E::kUnknowns];
    Real flux[E::kUnknowns];
    Real speed;

    template <int axis> void complete() {
        if constexpr (E::kHasFlux)
            E::template flux<axis>(q, flux);
        speed = E::template speed<axis>(q);
    }
};

// The flux out of the lower side's volume, and into the upper one's.
template <int axis, class E, class Real>
inline void cross(const Side<E, Real> &lower, const Side<E, Real> &upper,
                  Real (&leaves)[E::kUnknowns], Real (&enters)[E::kUnknowns]) {
    constexpr int unknowns = E::kUnknowns;
    const Real viscosity = larger(lower.speed, upper.speed) * 0.5;
    Real jump[unknowns];
    for (int u = 0; u < unknowns; ++u) {
        jump[u] = upper.q[u] - lower.q[u];
        Real mean = -(viscosity * jump[u]);
        if constexpr (E::kHasFlux)
            mean += (lower.flux[u] + upper.flux[u]) * 0.5;
        leaves[u] = mean;
        enters[u] = mean;
    }
    if constexpr (E::kHasProduct) {
        Real between[unknowns];
        Real product[unknowns];
        for (int u = 0; u < unknowns; ++u)
            between[u] = (lower.q[u] + upper.q[u]) * 0.5;
        E::template product<axis>(between, jump, product);
        for (int u = 0; u < unknowns; ++u) {
            leaves[u] += product[u] * 0.5;
            enters[u] -= product[u] * 0.5;
        }
    }
}

} // namespace enclave
