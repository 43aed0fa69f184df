// Everything that a run needs to go on, in a file: f, what is known of the field, the diagnostics;
// HDF5, written and read by all ranks together. A run that goes on comes to the same bits as one
// that was never stopped, on any number of ranks and with any tiles.
//
// A file is written under another name, PATH.new, and takes the place of the one before when it is
// whole: whatever happens meanwhile, a good one stays.
//
// Built with files/ where there is HDF5, otherwise with no_files/.
#pragma once

#include "vlasov/diagnostics.h"
#include "vlasov/simulation.h"

#include <string>
#include <vector>

namespace vlasov {

// The properties that two runs must have in common for one to continue from the other's file.
struct Identity {
    std::string plasma;
    double alpha;
    Solve solve;
};

bool snapshots_available();

// Writes a snapshot before step `step`. All ranks call it; it returns an error, on all of them if
// on any, of which the first rank's tells; empty if there is none.
std::string write_snapshot(const std::string &path, const Identity &identity,
                           Simulation &simulation, const std::vector<Diagnosis> &rows, int step);
// Reads a snapshot, called and returning as above; sets f, the field's past, `rows` and `step`.
std::string read_snapshot(const std::string &path, const Identity &identity, Simulation &simulation,
                          std::vector<Diagnosis> &rows, int &step);

} // namespace vlasov
