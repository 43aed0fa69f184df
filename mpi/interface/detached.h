// The MPI layer's reports of requests that it takes over (TAMPI_Iwait(), MPIX_Detach()): a thread
// that polls finds their completions, for a task whose code may have ended.
//
// Functions of libloomp-record, which the layer looks for by their names, so it needs no recorder.
#pragma once

#include <cstdint>

namespace loomp::record {

/// One that is complete.
struct DetachedResult {
    std::uint64_t source; ///< pack(source, tag)
    bool cancelled;
};

/// loomp_record_detach: requests by their handles (0: none), before anybody tests them. Returns
/// null if nothing is recorded; else an argument for one call of the other.
using DetachFunction = void *(int count, const std::uint64_t *handles);
/// loomp_record_detached: all of them are complete. If `results` is null, they are forgotten.
using DetachedFunction = void(void *of, const DetachedResult *results);

} // namespace loomp::record
