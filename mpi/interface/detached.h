// What the MPI layer tells of requests that it takes over (TAMPI_Iwait(), MPIX_Detach()): their
// completions are found by whoever polls, for a task whose code may have ended.
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

/// loomp_record_detach: requests by their handles (0: none), before anybody tests them. Null:
/// nothing is recorded; else for one call of the other.
using DetachFunction = void *(int count, const std::uint64_t *handles);
/// loomp_record_detached: all of them are complete. Null: they are forgotten.
using DetachedFunction = void(void *of, const DetachedResult *results);

} // namespace loomp::record
