#include "runtime/core/scheduling/task_allocation.h"

#include "runtime/core/dependences/linking.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/throttle.h"
#include "runtime/core/team/icv.h"

namespace loomp::core {

LOOMP_NOINLINE void fold_overflow(Task &parent) {
    parent.children.fetch_add(parent.created * children::kOne, std::memory_order_acq_rel);
    parent.created = 0;
}

LOOMP_NOINLINE void sent_home(Worker &worker) {
    // A creator may be waiting to hear of them, while this worker has enough to do.
    if (LOOMP_UNLIKELY(throttled_creators.load(std::memory_order_relaxed) != 0))
        flush_completions(worker);
}

LOOMP_NOINLINE bool release_extras(Worker &worker, Task &task) {
    if (task.has(kOwnsIcvs))
        free_icvs(task);
    task.detach.store(0, std::memory_order_relaxed);
    const bool has_tool = task.tool != nullptr;
    if (has_tool)
        delete_tool_view(task);
    while (task.attached != nullptr)
        free_first_block(worker, task);
    return has_tool && tool_hooks.keep_block != nullptr && tool_hooks.keep_block(task);
}

} // namespace loomp::core
