// The electric field: dE/dx = rho - <rho>, with mean 0 (Poisson's equation for E = -dphi/dx and a
// background that neutralises), from the sums of density and current over the whole box.
//
// The step needs E at half a time step ahead (advection.h), to second order:
//   Poisson          3/2 E^n - 1/2 E^(n-1)
//   Poisson-Ampere   E^n - dt/2 (J^n - <J^n>), by dE/dt = -(J - <J>); Poisson's first step, too
//
// Each rank solves the whole box: it is one-dimensional, and the sums are on every rank. All is
// done in the order of the points, so all ranks have the same bits.
#pragma once

#include "vlasov/grid.h"

#include <vector>

namespace vlasov {

enum class Solve { poisson, ampere };

// The values that are known of the field at each time step.
struct Moment {
    double time;
    double mass;
    double norm;        // sqrt of the integral of E^2
    double mode_cosine; // Fourier coefficient of the box's first mode
    double mode_sine;
};

class Field {
  public:
    Field(const Grid &grid, double dt, Solve how);

    // From the sums (moments.h) of step n, which is one after that of the call before.
    void solve(const std::vector<double> &sums);

    // Half a step ahead, with grid.ghosts periodic values before and after.
    const double *half_step() const { return half_.data() + grid_.ghosts; }
    double largest() const { return largest_; } // magnitude in half_step()
    const std::vector<double> &now() const { return now_; }
    const std::vector<Moment> &history() const { return history_; }
    // Continues as if the steps of `history` had been made, the last of which found `now`.
    void go_on(const std::vector<double> &now, const std::vector<Moment> &history);

    // No field but this one, everywhere and always: to measure the advection alone.
    void impose(double value);
    // For advection where the stencils would leave the ghosts: no field.
    void clear();

  private:
    void integrate(const std::vector<double> &density);
    void look_ahead(const std::vector<double> &current);
    void remember(double mass);

    Grid grid_;
    double dt_;
    Solve how_;
    bool imposed_ = false;
    std::vector<double> now_, before_, half_;
    std::vector<double> cosine_, sine_;
    std::vector<Moment> history_;
    double largest_ = 0;
};

} // namespace vlasov
