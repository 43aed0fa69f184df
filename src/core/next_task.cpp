#include "core/next_task.h"

#include <atomic>
#include <utility>

#include "core/message.h"
#include "core/persistent.h"
#include "loomp/loomp.h"

namespace loomp::core {

namespace {

void warn_once(const char *what) {
    static std::atomic<bool> warned{false};
    if (!warned.exchange(true, std::memory_order_relaxed))
        warn("loomp_next_task: %s", what);
}

} // namespace

void ask_of_next_task(std::uint32_t flags) {
    Worker &worker = *Worker::current();
    Task &creator = *worker.task;
    if (!creator.has(kMarksNext) || worker.asked.creator != &creator)
        worker.asked = {};
    creator.flags |= kMarksNext;
    worker.asked.creator = &creator;
    worker.asked.flags |= flags;
}

std::uint32_t take_next_task_flags(Worker &worker) {
    Task &creator = *worker.task;
    if (!creator.has(kMarksNext))
        return 0;
    creator.flags &= ~std::uint32_t{kMarksNext};
    const AskedOfNext asked = std::exchange(worker.asked, {});
    if (creator.has(kPersistent) && (asked.flags & kTransparent) != 0 &&
        !leave_automatic(creator)) {
        warn_once("tasks of a persistent graph are not transparent; wait in them for their tasks");
        return 0;
    }
    if (asked.creator == &creator)
        return asked.flags;
    warn_once("the task waited before it created the next one, so what was asked is lost; call it "
              "right before the task construct");
    return 0;
}

} // namespace loomp::core

extern "C" __attribute__((visibility("default"))) void loomp_next_task(unsigned flags) {
    using namespace loomp::core;
    constexpr unsigned known = LOOMP_TASK_TRANSPARENT | LOOMP_TASK_WEAK;
    if ((flags & ~known) != 0)
        warn("loomp_next_task: unknown flags 0x%x are ignored; known are LOOMP_TASK_TRANSPARENT "
             "and LOOMP_TASK_WEAK",
             flags & ~known);
    if ((flags & LOOMP_TASK_WEAK) != 0)
        ask_of_next_task(kTransparent | kWeak);
    else if ((flags & LOOMP_TASK_TRANSPARENT) != 0)
        ask_of_next_task(kTransparent);
}
