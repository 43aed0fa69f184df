// The loops over nodes, each on a range of them.
#pragma once

#include "lulesh/domain.h"

namespace lulesh {

void clear_forces(Domain &domain, Range nodes);
// Forces at the corners that meet in a node, in the order of `node_corner`: set, and added.
void gather_stress_forces(Domain &domain, Range nodes);
void gather_hourglass_forces(Domain &domain, Range nodes);
void accelerate(Domain &domain, Range nodes);
// `places` of symmetry_nodes[axis]: nothing moves through the plane.
void hold_on_symmetry_plane(Domain &domain, int axis, Range places);
void move_velocities(Domain &domain, Range nodes);
void move_positions(Domain &domain, Range nodes);

} // namespace lulesh
