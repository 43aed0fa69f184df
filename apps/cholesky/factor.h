// The right-looking factorisation A = L L^T of a tiled matrix, in place, in two forms that call the
// same kernels on the same tiles in the same order per tile: their results are equal bit for bit,
// with any number of ranks.
#pragma once

#include "cholesky/matrix.h"
#include "common/kept_graph.h"
#include "common/report.h"

namespace cholesky {

// How often the matrix is factored. If more than once, each time begins with its elements as they
// were: keep_original() comes before.
struct Repetitions {
    int count = 1;
    apps::kept_graph::Keep keep = apps::kept_graph::Keep::nothing; // for the tasks
    bool wait = false; // kept graphs: each repetition waits for its tasks
};

struct Factorisation {
    apps::Cost cost; // the cost of all repetitions
    int info = 0;    // not 0: the leading minor of this order is not positive
};

// Step by step, a parallel loop over the panel and one over the trailing matrix, each with a
// barrier. Ranks exchange a step's tiles between the loops, and wait for all of them.
Factorisation factor_for(TiledMatrix &matrix, const Repetitions &repetitions);

// Which tasks get a priority clause that is not zero.
enum class Priority {
    none,
    path, // what the critical path needs first goes first
    sends // tasks that send to other ranks: 1
};

// A task per kernel call, and per tile that is sent to or received from a rank, ordered by the
// tiles that they read and write, and by nothing else: of repetitions, too, where these do not
// wait.
Factorisation factor_task(TiledMatrix &matrix, Priority priority, const Repetitions &repetitions);

double flops(int n);
// Returns the tag of the message that tile (i, k) of step k is.
int tag(const TiledMatrix &matrix, int i, int k);
// Returns the first of LAPACK's answers by step, on all ranks, that is not 0; or 0.
int first_failure(const std::vector<int> &failed);

} // namespace cholesky
