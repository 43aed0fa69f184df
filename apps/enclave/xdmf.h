// The text that tells ParaView how to read a run's snapshots, as one film.
#pragma once

#include "enclave/snapshot.h"

#include <string>
#include <vector>

namespace enclave {

// The snapshot's file, without its folder: XDMF names files beside itself.
std::string snapshot_name(const std::string &output, int number);

// The name of an unknown's array there.
std::string array_name(const std::string &unknown);

// Writes `output`.xdmf; by the first rank. Returns an error; empty: none.
std::string write_xdmf(const std::string &output, const Run &run,
                       const std::vector<Written> &written);

} // namespace enclave
