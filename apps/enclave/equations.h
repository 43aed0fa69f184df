// A user writes a system of first order in space and time,
//
//     dq/dt + sum over the axes of d F(q)/dx + B(q) dq/dx = S(q),
//
// as a class that derives from Equations and has, with all functions static,
//
//     kUnknowns, kNames             how many there are, and what they are called
//     flux<axis>(q, f)              F along an axis, if kHasFlux
//     product<axis>(q, dq, b)       B dq along an axis, if kHasProduct
//     source(q, s)                  S, if kHasSource
//     constrain(q)                  puts q back to where algebraic constraints hold, if
//                                   kHasConstraints; after each step
//     speed<axis>(q)                the largest magnitude of an eigenvalue of dF/dq + B
//
// each a template over Real, a double or several (pack.h), with q, dq, f, b and s arrays of
// kUnknowns of them; and, for a problem with these equations,
//
//     kProblem                      what it is called, its domain and times (problem.h)
//     start(at, dimensions, q)      initial values
//     boundary(at, time, inside, q) values beyond a boundary that is not periodic
//     exact(at, time, dimensions, q)
//
// for doubles. All of it is compiled into the kernels, and no call remains.
#pragma once

#include "enclave/pack.h"
#include "enclave/point.h"

namespace enclave {

struct Equations {
    static constexpr bool kHasFlux = false;
    static constexpr bool kHasProduct = false;
    static constexpr bool kHasSource = false;
    static constexpr bool kHasConstraints = false;

    // Outflow: outside is what is inside.
    template <int unknowns>
    static void boundary(const Point &, double, const double (&inside)[unknowns],
                         double (&outside)[unknowns]) {
        for (int u = 0; u < unknowns; ++u)
            outside[u] = inside[u];
    }
};

} // namespace enclave
