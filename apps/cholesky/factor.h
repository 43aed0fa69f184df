// The right-looking factorisation A = L L^T of a tiled matrix, in place, in two forms that call the
// same kernels on the same tiles in the same order per tile: their results are equal bit for bit.
#pragma once

#include "cholesky/matrix.h"
#include "common/report.h"

namespace cholesky {

struct Factorisation {
    apps::Cost cost;
    int info = 0; // not 0: the leading minor of this order is not positive
};

// Step by step, a parallel loop over the panel and one over the trailing matrix, each with a
// barrier.
Factorisation factor_for(TiledMatrix &matrix);

// A task per kernel call, ordered by the tiles that it reads and writes, and by nothing else. With
// priorities, what the critical path needs first goes first.
Factorisation factor_task(TiledMatrix &matrix, bool priorities);

double flops(int n);

} // namespace cholesky
