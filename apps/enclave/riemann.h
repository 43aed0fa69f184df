// The exact solution of Euler's equations in one dimension for two gases that a wall keeps apart
// until t = 0.
#pragma once

namespace enclave {

struct Gas {
    double density;
    double velocity;
    double pressure;
};

// At a distance of `speed` * time from where the wall was, to the right. Both gases have
// gamma = Euler::kGamma, and no vacuum forms.
//
// Source: E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, chapter 4.
Gas behind_wall(const Gas &left, const Gas &right, double speed);

} // namespace enclave
