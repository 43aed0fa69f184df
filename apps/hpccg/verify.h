// Checks how the vectors and the matrix are cut: the result does not show a block that is too
// large, nor a dependence too few or too many.
#pragma once

#include "common/report.h"
#include "hpccg/blocks.h"

namespace hpccg {

void check_cut(const Matrix &matrix, const Blocks &blocks, int t1, int t2, apps::Report &report);

} // namespace hpccg
