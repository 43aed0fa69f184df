// The settings of tasks: their order, priorities and number (settings.h).
#pragma once

#include "runtime/core/environment/places.h"

namespace loomp::core {

/// Which of a worker's own ready tasks it runs next.
enum class TaskOrder : int { lifo, fifo };
/// The priority that a clause gives a task: its value, the highest (if it is not zero), or none.
enum class PriorityValue : int { hint, max, off };
/// The priority that the predecessors of such a task get.
enum class PriorityPropagation : int { none, equal, decrement };
/// The thread that gives it to them: the creator, or one that is idle.
enum class PriorityWhen : int { creation, idle };
/// Priorities for programs whose tasks send messages (runtime/core/environment/priority_preset.h).
enum class PriorityPreset : int { none, ma1, ma2, sa, fa };

struct TaskSettings {
    int max_task_priority = 0;
    TaskOrder task_order = TaskOrder::lifo;
    /// Threads that share one of these share a queue of new tasks.
    MachineLevel new_tasks = MachineLevel::thread;
    PriorityPreset priority_preset = PriorityPreset::none;
    PriorityValue priority_value = PriorityValue::hint;
    PriorityPropagation priority_propagation = PriorityPropagation::none;
    PriorityWhen priority_when = PriorityWhen::creation;
    bool producers_first = false; ///< creators neither run new tasks nor wait until few are ready
    int max_tasks = 0;       ///< unfinished children of a task that creates them; 0: any number
    bool persistent = false; ///< recognises repeated task graphs
    bool stats = false;
};

const TaskSettings &task_settings();

} // namespace loomp::core
