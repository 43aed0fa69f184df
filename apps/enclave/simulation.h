// A problem from its start to its end, on a mesh, with a time step as long as is stable.
#pragma once

#include "common/report.h"
#include "enclave/run.h"

#include <string>

namespace enclave {

// The result, equal on every rank except `cost`.
struct Result {
    bool failed = false; // a line on stderr says why; then the rest means nothing
    int steps = 0;
    double speed = 0; // the largest speed of any signal, at any time
    double shortest_step = 0;
    double error = 0;        // the mean magnitude of the observed unknown's error
    double range = 0;        // the observed unknown at the end: largest less least
    double range_before = 0; // the observed unknown at the start: largest less least
    double off_centre = 0;   // off_centre() of the mesh at the end
    double violation = 0;    // largest magnitude of the unknown that constraints keep at 0, if any
    double drift = 0;        // largest change of the sum of an unknown, relative to its magnitude
    std::string checksum;    // the checksum of the values of all patches, whatever their order
    double updates = 0;      // updates of volumes on all ranks, in this process's steps
    int cells = 0;
    int skeletons = 0;   // the skeletons of all ranks
    int levels = 0;      // Run::levels
    int adaptations = 0; // changes of the mesh, in this process
    int jumps = 0;       // Mesh::jumps()
    // From each step's begin until the last skeleton cell was advanced; of the slowest rank.
    double urgent_seconds = 0;
    apps::Cost cost;
};

// Called by all ranks alike. A mesh with at least one cell for each rank is needed.
Result simulate(const Run &run);

} // namespace enclave
