// Finds out from later records in which task a thread was, and whether the task was in a call or a
// wait.
#pragma once

#include <cstdint>
#include <span>

#include "profiler/format/format.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis::archive {

/// The task that a thread was in before `rest`: the next switch before `end` names it; 0 if
/// unknown. `implicit` is the innermost implicit task known by then, or 0.
std::uint64_t task_before(std::span<const record::Record> rest, Time end, std::uint64_t implicit);

/// The record by which a task that continues before `rest` leaves its MPI call; null if it was in
/// none.
const record::Record *call_left_in(std::span<const record::Record> rest);

/// The record by which a task that continues before `rest` ends its wait; null if it was in none.
const record::Record *wait_ended_in(std::span<const record::Record> rest);

} // namespace loomp::analysis::archive
