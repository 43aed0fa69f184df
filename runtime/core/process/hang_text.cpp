#include "runtime/core/process/hang_text.h"

#include <algorithm>
#include <string>

#include "platform/source_lines.h"
#include "runtime/core/regions/lock_waiters.h"
#include "runtime/core/scheduling/detach_event.h"

namespace loomp::core {

namespace {

constexpr int kShown = 4;

std::string count_of(int count, const char *one, const char *more) {
    return std::to_string(count) + ' ' + (count == 1 ? one : more);
}

/// The place of a task's construct; empty if it is unknown.
std::string place_of_task(const void *task_code) {
    static const text::OwnCode own;
    return task_code == nullptr ? std::string()
                                : text::place_of(own, static_cast<const char *>(task_code));
}

std::string text_of(const LostEvent &event) {
    std::string text =
        "nobody has fulfilled the event of a detached task" + place_of_task(event.code);
    if (event.successors > 0)
        text += "; " + count_of(event.successors, "task depends", "tasks depend") + " on it";
    if (event.awaited)
        text += event.successors > 0 ? ", and a taskwait or barrier waits for it"
                                     : "; a taskwait or barrier waits for it";
    return text;
}

} // namespace

std::string text_of_held_locks() {
    const void *code = nullptr;
    const int count = list_lock_waiters(&code, 1);
    return count == 0
               ? std::string()
               : count_of(count, "task waits", "tasks wait") +
                     " for a lock or critical section that nobody releases" + place_of_task(code);
}

std::string text_of_lost_events() {
    LostEvent events[kShown];
    const int count = lost_events(events, kShown);
    std::string text;
    for (int i = 0; i < std::min(count, kShown); ++i)
        text += (i > 0 ? "\n" : "") + text_of(events[i]);
    if (count > kShown)
        text += "\n" + count_of(count - kShown, "more event", "more events");
    return text;
}

} // namespace loomp::core
