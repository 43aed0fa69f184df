// Decides where the mesh is to be finer, and where it may be coarser again: from the values alone,
// so the same on any number of ranks.
#pragma once

#include "enclave/field.h"

#include <vector>

namespace enclave {

// The largest difference of the observed unknown between volumes of a patch that share a face, over
// their width.
double slope(const Problem &problem, const Frame &frame, const double *values);

// The slope of each cell of the mesh, from all ranks, which all call this.
std::vector<double> slopes(const Problem &problem, const Mesh &mesh, const Field &field,
                           const Piece &own);

// The cells of the mesh to continue with. A cell is cut, down to the shape's finest level, where it
// or one that it shares a face with is steeper than `steep`, so that what moves stays among fine
// cells for as many steps as a patch has volumes along an edge. Cells that came from one are joined
// again if all of them are less than half as steep. Cells that share a face come to differ by one
// level at most, as they did before.
std::vector<Place> refined(const Mesh &mesh, const std::vector<double> &slopes, double steep);

} // namespace enclave
