// The message of a wrong transition, which only builds with assertions look for.
#include "platform/diagnostics.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

namespace {

const char *name_of(TaskPhase phase) {
    switch (phase) {
    case TaskPhase::released:
        return "released";
    case TaskPhase::created:
        return "created";
    case TaskPhase::linked:
        return "linked";
    case TaskPhase::ready:
        return "ready";
    case TaskPhase::running:
        return "running";
    case TaskPhase::suspended:
        return "suspended";
    case TaskPhase::finished:
        return "finished";
    case TaskPhase::completed:
        return "completed";
    }
    return "corrupt";
}

} // namespace

void wrong_transition(const Task &task, TaskPhase from, TaskPhase to) {
    fatal("a task with flags %#x that is %s becomes %s", task.flags, name_of(from), name_of(to));
}

} // namespace loomp::core
