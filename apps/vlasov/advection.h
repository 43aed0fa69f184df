// The semi-Lagrangian step of Vlasov's equation: each point takes the value that f has at the foot
// of the characteristic which arrives at it.
//
// Over a step dt the characteristic goes backwards by half a drift, a kick in the middle, half a
// drift:
//     x_m = x - dt/2 v,   v* = v - dt E(x_m),   x* = x_m - dt/2 v*,
// with the field E of half the step. That is exact to second order and keeps areas in phase space.
// f(x*, v*) is the tensor product of Lagrange polynomials (lagrange.h).
//
// Thread safety: any number of threads, on different points.
#pragma once

#include "vlasov/lagrange.h"
#include "vlasov/tile.h"

#include <vector>

namespace vlasov {

// The place where E is taken for a row: at a fixed distance from each point.
struct Row {
    int cells; // whole cells of that distance, towards the foot's cell
    Weights weight;
    double drift; // -dt v / dx: the drift in cells, without the kick
};

class Advection {
  public:
    Advection(const Grid &grid, double dt);

    // The region's points of `next`, from `now` and the field of half the step, which has
    // `grid.ghosts` periodic values before its first point and after its last one.
    void advance(Tile &tile, const Region &region, const double *field) const;

    // How far from a point its foot may lie, in cells: a stencil then ends within the ghosts.
    static double farthest(const Grid &grid) { return grid.ghosts - kBefore; }
    // How far it lies at most, along x and along v, where |E| <= field.
    double largest_drift(double field) const;
    double largest_kick(double field) const;

    // The instruction set that advance() uses here.
    static const char *instructions();

  private:
    Grid grid_;
    double dt_;
    std::vector<Row> rows_;
};

} // namespace vlasov
