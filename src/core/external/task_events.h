// Events: what a task that is to complete later waits for, counted, and known by the task. An
// explicit task counts them in its own word (hold(), core/scheduling/completion.h). An implicit
// task of a parallel region does not complete before the region ends, so that is what waits for its
// events, by a child that is held for them; the initial task does not complete at all.
//
// Thread safety: see each function.
#pragma once

#include <cstdint>

namespace loomp::core {

struct Task;

/// `count` more for the running task. False: it cannot complete later than its code ends.
bool add_events(std::uint64_t count);
/// `count` of them have happened. From any thread. False: there are not so many.
bool remove_events(Task &task, std::uint64_t count);
/// Whether some of the running task's have not happened.
bool has_events();

} // namespace loomp::core
