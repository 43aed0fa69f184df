#include "core/worker/unfulfilled.h"

#include "core/task/task.h"
#include "core/task/task_code.h"
#include "core/worker/worker.h"

namespace loomp::core {

namespace {

/// Whether the entry's task is in the same use still, and waits for its event.
bool waits_for_event(const TasksThatEndedEarly::Entry &entry) {
    const Task *task = entry.task;
    if (task == nullptr)
        return false;
    constexpr std::uint32_t both = detach::kBodyReturned | detach::kEventHappened;
    // Descriptors stay readable. acquire: the serial number is not read before the word.
    const bool waits =
        (task->detach.load(std::memory_order_acquire) & both) == detach::kBodyReturned;
    return waits && task->serial.load(std::memory_order_relaxed) == entry.serial;
}

/// True if an earlier entry has the same use. The serial number is that of the block's use before
/// where this one has no depend clause, so an old entry may stand for it, too.
bool has_been_counted(const Task *task, unsigned worker, unsigned number) {
    for (unsigned index = 0; index <= worker; ++index)
        for (unsigned i = 0; i < (index < worker ? TasksThatEndedEarly::kMost : number); ++i) {
            const TasksThatEndedEarly::Entry &entry = Worker::at(index).ended_early.at(i);
            if (entry.task == task && waits_for_event(entry))
                return true;
        }
    return false;
}

} // namespace

void TasksThatEndedEarly::note(const Task &task, std::uint64_t serial) {
    constexpr unsigned looks = 4;
    for (unsigned look = 0; look < looks; ++look) {
        Entry &entry = entries_[next_++ % kMost];
        if (waits_for_event(entry))
            continue;
        entry.task = &task;
        entry.serial = serial;
        return;
    }
}

int unfulfilled_events(const void **codes, int most) {
    int count = 0;
    for (unsigned index = 0; index < worker_count(); ++index) {
        for (unsigned i = 0; i < TasksThatEndedEarly::kMost; ++i) {
            const TasksThatEndedEarly::Entry &entry = Worker::at(index).ended_early.at(i);
            const void *code = waits_for_event(entry) ? code_of(*entry.task) : nullptr;
            if (code == nullptr || has_been_counted(entry.task, index, i))
                continue;
            if (count < most)
                codes[count] = code;
            ++count;
        }
    }
    return count;
}

} // namespace loomp::core
