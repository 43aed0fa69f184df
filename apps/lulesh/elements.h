// The loops over elements, each on a range of them; the last one by places in the lists of
// regions. A volume that is not above zero, or a viscosity beyond all bounds, ends the program with
// one line and status 1.
#pragma once

#include "lulesh/domain.h"

namespace lulesh {

void set_stresses(Domain &domain, Range elements);
// The corners' forces of the stress.
void integrate_stresses(Domain &domain, Range elements);
void check_determinants(const Domain &domain, Range elements);
void check_determinants(const double *determinant, Range elements);
// These prepare and find the corners' forces against hourglass modes (Flanagan and Belytschko's).
void prepare_hourglass_control(Domain &domain, Range elements);
void resist_hourglass_modes(Domain &domain, Range elements);

void find_kinematics(Domain &domain, Range elements);
void find_expansion(Domain &domain, Range elements);
// For the monotonic artificial viscosity: differences of the velocity, then its terms, which look
// at the neighbours' differences.
void find_velocity_differences(Domain &domain, Range elements);
void find_viscosity_terms(Domain &domain, Range places);
void check_viscosities(const Domain &domain, Range elements);
void update_volumes(Domain &domain, Range elements);

} // namespace lulesh
