// The parameters of a run: a problem, its mesh, the distribution of the work, and the output.
#pragma once

#include "enclave/traversal.h"

#include <string>

namespace enclave {

struct Run {
    Problem problem; // with its domain, times and dimensions as they are to be
    int depth;
    int levels;      // levels of cells, finer than those of the depth, where the solution is steep
    int adapt_every; // the mesh changes after this many steps, if there are levels
    int across;
    int subdomains; // a rank's subdomains
    double skew;    // how much larger the first of them is
    Tasking tasking;
    int spoilt;          // a cell that gets a NaN in the first step; or -1
    std::string output;  // what names of files begin with; empty: none are written
    double output_every; // in the problem's time
    std::string restart; // a file to go on with; empty: from the start
    bool progress;       // told on stderr
};

inline Shape shape_of(const Run &run) {
    return {run.depth,       run.depth + run.levels, run.problem.dimensions, run.across,
            run.problem.low, run.problem.edge,       run.problem.periodic};
}

} // namespace enclave
