#include "core/next_task.h"

#include <atomic>
#include <utility>

#include "core/fusion.h"
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

AskedOfNext &ask_of_next_task() {
    Worker &worker = *Worker::current();
    Task &creator = *worker.task;
    if (!creator.has(kMarksNext) || worker.asked.creator != &creator)
        worker.asked = {};
    creator.flags |= kMarksNext;
    worker.asked.creator = &creator;
    return worker.asked;
}

AskedOfNext take_next_task(Worker &worker) {
    Task &creator = *worker.task;
    if (!creator.has(kMarksNext))
        return {};
    creator.flags &= ~std::uint32_t{kMarksNext};
    AskedOfNext asked = std::exchange(worker.asked, {});
    if (asked.creator != &creator) {
        warn_once("the task waited before it created the next one, so what was asked is lost; call "
                  "it right before the task construct");
        return {};
    }
    if (!creator.has(kPersistent))
        return asked;
    // Kept tasks are as their graph has them.
    asked.flags &= ~std::uint32_t{kFusible};
    if ((asked.flags & kTransparent) == 0 || leave_automatic(creator))
        return asked;
    warn_once("tasks of a persistent graph are not transparent; wait in them for their tasks");
    return {};
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
        ask_of_next_task().flags |= kTransparent | kWeak;
    else if ((flags & LOOMP_TASK_TRANSPARENT) != 0)
        ask_of_next_task().flags |= kTransparent;
}

extern "C" __attribute__((visibility("default"))) void loomp_next_task_kind(int kind, void *data) {
    using namespace loomp::core;
    if (kind == 0)
        return; // loomp_task_kind() has said why
    if (!is_task_kind(kind)) {
        warn("loomp_next_task_kind: %d is no kind that loomp_task_kind() returned; ignored", kind);
        return;
    }
    AskedOfNext &asked = ask_of_next_task();
    asked.flags |= kFusible;
    asked.kind = static_cast<std::uint8_t>(kind);
    asked.data = data;
}
