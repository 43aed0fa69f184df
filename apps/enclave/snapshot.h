// All that a run needs to go on, in a file that ParaView shows, too: the cells, their corners, the
// values of each unknown, and the run's state; HDF5, written and read by all ranks together. A run
// that goes on comes to the same bits as one that was never stopped, in any mode, on any number of
// ranks.
//
//   cells        a row each, in the curve's order: level, index along x, y, z
//   points       x, y, z of the corners of volumes, those of a cell together
//   volumes      for each volume the numbers of its corners, in the order of VTK
//   density...   a value for each volume, x running fastest; for each unknown
//   state        State, but for the next
//   totals       State::before: sum and magnitude of each unknown
//   written      number, time and cells of the run's files so far, this one included
//
// In directions with one cell only, where nothing varies, one volume stands for all.
//
// Built with files/ where there is HDF5, otherwise with no_files/.
#pragma once

#include "enclave/domain.h"
#include "enclave/state.h"

#include <memory>
#include <string>
#include <vector>

namespace enclave {

// A file of a run.
struct Written {
    int number;
    double time;
    int cells;
};

bool snapshots_available();

// All ranks call these. Writes a snapshot; returns an error, on all of them if on any, of which the
// first rank's tells; empty if there is none.
std::string write_snapshot(const std::string &path, const Run &run, const Domain &domain,
                           const State &state, const std::vector<Written> &written);
// Reads a snapshot, and returns an error as above; makes the domain, with values and layers of the
// set of the next step.
std::string read_snapshot(const std::string &path, const Run &run, std::unique_ptr<Domain> &domain,
                          State &state, std::vector<Written> &written);

} // namespace enclave
