// Tells a debugger which calls tasks are suspended in, in addition to
// runtime/core/process/debugger.h; runtime/debugger reads it.
#pragma once

#include <cstdint>

namespace loomp::mpi {

/// Changes only add fields at the end; other changes need a new version.
struct DebuggerTable {
    std::uint64_t version;
    const void *poller; ///< address of the pointer to the poller
    /// Offsets in a SuspendedCall.
    std::uint64_t done, name, peer, tag, since;
    std::int64_t unknown; ///< an unknown peer or tag
};

} // namespace loomp::mpi

extern "C" __attribute__((visibility("default")))
const loomp::mpi::DebuggerTable loomp_mpi_debugger;
