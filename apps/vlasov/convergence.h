// The orders of the approximations, measured on grids and steps that become finer by halves.
#pragma once

#include "common/report.h"

namespace vlasov {

// The field solver: the field of a density for which it is known; its error falls with the sixth
// power of the grid's spacing.
void check_field(apps::Report &report);

// That one, and two more. Interpolation: a plasma in a uniform field that is imposed, whose
// characteristics the step follows exactly; the largest error of f falls with the sixth power of
// the grid's spacing. Time: a plasma in its own field; the field's changes fall with the square of
// the step. All ranks call it.
void check_convergence(apps::Report &report);

} // namespace vlasov
