// Checks that a run has found what it is to find.
#pragma once

#include "common/report.h"
#include "vlasov/field.h"
#include "vlasov/plasma.h"
#include "vlasov/simulation.h"

namespace vlasov {

// Checks of any run: the field is finite, and the mass what it was.
void check_run(const std::vector<Moment> &history, apps::Report &report);

// Each point of the grid has advanced once in each of the steps, on all ranks together. A point
// that advances twice takes time and changes no value.
void check_points(Simulation &simulation, int steps, apps::Report &report);

// The mass at the beginning against the sum of the case's profile over the grid's velocities: the
// field does not show an error that is the same at each place.
void check_mass(const Case &plasma, const Grid &grid, const std::vector<Moment> &history,
                apps::Report &report);

// The case's rates against those of the dispersion relation: 1% of them, 2% of the nonlinear ones.
void check_rates(const Case &plasma, const std::vector<Moment> &history, apps::Report &report);

} // namespace vlasov
