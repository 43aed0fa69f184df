// The MPI layer's reports of requests that it takes over (TAMPI_Iwait(), MPIX_Detach()): a thread
// that polls finds their completions, for a task whose code may have ended.
//
// Functions of libloomp-record, or of `loomp check`'s library. The layer looks for them by their
// names, so it needs neither.
#pragma once

#include <cstdint>

namespace loomp::record {

/// One that is complete.
struct DetachedResult {
    std::uint64_t source; ///< pack(source, tag)
    bool cancelled;
};

/// loomp_record_detach: requests by their handles (0: none), before anybody tests them. Returns
/// null if nothing is recorded; else an argument for one call of the other. `holds_task`: the
/// calling task completes after them.
using DetachFunction = void *(int count, const std::uint64_t *handles, bool holds_task);
/// loomp_record_detached: all of them are complete, and the callback follows. If `results` is null,
/// they are forgotten. Returns an argument for the next function; null: it is not called.
using DetachedFunction = void *(void *of, const DetachedResult *results);
/// loomp_record_called_back: the callback has ended.
using CalledBackFunction = void(void *of);

} // namespace loomp::record
