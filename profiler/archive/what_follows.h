// What a thread's records tell of the time before them: the task that it was in, and whether that
// was in a call or in a wait.
#pragma once

#include <cstdint>
#include <span>

#include "profiler/format/format.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis::archive {

/// The task that a thread was in before `rest`, which the next change of that tells, before `end`;
/// 0: not known. `implicit`: the innermost implicit task that it was in by then, or 0.
std::uint64_t task_before(std::span<const record::Record> rest, Time end, std::uint64_t implicit);

/// The record by which a task that goes on before `rest` leaves the MPI call that it was in; null:
/// it was in none.
const record::Record *call_left_in(std::span<const record::Record> rest);

/// The record by which a task that goes on before `rest` ends its wait; null: it was in none.
const record::Record *wait_ended_in(std::span<const record::Record> rest);

} // namespace loomp::analysis::archive
