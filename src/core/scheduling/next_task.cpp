#include "core/scheduling/next_task.h"

#include <atomic>
#include <utility>

#include "core/base/diagnostics.h"
#include "core/persistent/persistent.h"

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
    const AskedOfNext asked = std::exchange(worker.asked, {});
    if (asked.creator != &creator) {
        warn_once("the task waited before it created the next one, so what was asked is lost; call "
                  "it right before the task construct");
        return {};
    }
    if (creator.has(kPersistent) && (asked.flags & kTransparent) != 0)
        leave_for_transparent(creator);
    return asked;
}

} // namespace loomp::core
