// What a debugger is told of the calls that tasks are suspended in, beside
// runtime/core/process/debugger.h; read by runtime/debugger.
#pragma once

#include <cstdint>

namespace loomp::mpi {

/// Changes by addition only, at the end; else with another version.
struct DebuggerTable {
    std::uint64_t version;
    const void *poller; ///< of a pointer
    /// In a SuspendedCall.
    std::uint64_t done, name, peer, tag, since;
    std::int64_t unknown; ///< a peer or tag that is not known
};

} // namespace loomp::mpi

extern "C" __attribute__((visibility("default")))
const loomp::mpi::DebuggerTable loomp_mpi_debugger;
