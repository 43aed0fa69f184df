// Which kinds of tasks other processes wait for, learned while they run (preset FA; thesis of R.
// Pereira, 5.2.4.1): a library tells that the running task sends something (note_send()), and from
// then on tasks of its kind have the highest priority: those yet to be created, and those that are
// known to runtime/core/scheduling/priority_graph.h already, whose predecessors come forward with
// them.
//
// A kind is the code of a task's construct and the size class of its data.
// (runtime/core/task/task_code.h). Thread safety: any thread. Off, creating
// tasks tests nothing for it.
#pragma once

#include <cstdint>

#include "platform/common.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

/// Whether kinds are learned. Set while no tasks exist.
LOOMP_HIDDEN extern Relaxed<bool> learns_senders;

/// Returns the kind of a task that has not completed; 0 if it has none, being an empty node.
std::uint64_t sending_kind_of(const Task &task);
bool is_known_to_send(std::uint64_t kind);
/// Returns whether it was not known.
bool add_sending_kind(std::uint64_t kind);

} // namespace loomp::core
