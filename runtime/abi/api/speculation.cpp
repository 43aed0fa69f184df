// experimental.h: speculative iterations, which start before the program decides to stop.
#include "runtime/core/scheduling/speculation.h"

#include "loomp/experimental.h"
#include "platform/diagnostics.h"
#include "platform/export.h"
#include "runtime/core/worker/worker.h"

using loomp::core::Speculation;
using loomp::core::Worker;

struct loomp_speculation {
    Speculation core;
    void (*at_end)(void *data) = nullptr;
    void *data = nullptr;
};

namespace {

const loomp::core::Task *running_task() {
    const Worker *worker = Worker::current_or_null();
    return worker != nullptr ? worker->task : nullptr;
}

bool is_owner(const loomp_speculation_t *speculation, const char *function) {
    if (speculation == nullptr)
        return false;
    const loomp::core::Task *task = running_task();
    if (task != nullptr && speculation->core.is_of(*task))
        return true;
    loomp::core::warn("%s(): only the task that began the iterations may call it; ignored",
                      function);
    return false;
}

} // namespace

LOOMP_EXPORT loomp_speculation_t *loomp_speculation_begin(void) { return new loomp_speculation; }
LOOMP_EXPORT int loomp_speculation_next(loomp_speculation_t *speculation) {
    return is_owner(speculation, "loomp_speculation_next") ? speculation->core.next() : -1;
}
LOOMP_EXPORT int loomp_speculation_iteration(loomp_speculation_t *speculation) {
    const loomp::core::Task *task = running_task();
    if (task == nullptr)
        return -1;
    const loomp::core::IterationRef found = loomp::core::iteration_of(*task);
    return found.speculation == &speculation->core ? found.number : -1;
}
LOOMP_EXPORT void loomp_speculation_cut(loomp_speculation_t *speculation, int last) {
    if (last >= 0)
        speculation->core.cut_after(last);
    else
        loomp::core::warn("loomp_speculation_cut(): no iteration has the number %d (a task that "
                          "belongs to none calls it?); ignored",
                          last);
}
LOOMP_EXPORT int loomp_speculation_last(loomp_speculation_t *speculation) {
    return speculation->core.last();
}
LOOMP_EXPORT int loomp_speculation_completed(loomp_speculation_t *speculation, int iteration) {
    return speculation->core.completed_up_to(iteration) ? 1 : 0;
}
LOOMP_EXPORT void loomp_speculation_at_end(loomp_speculation_t *speculation,
                                           void (*function)(void *data), void *data) {
    speculation->at_end = function;
    speculation->data = data;
}
LOOMP_EXPORT int loomp_speculation_end(loomp_speculation_t *speculation) {
    if (!is_owner(speculation, "loomp_speculation_end"))
        return -1;
    Speculation &core = speculation->core;
    core.wait();
    if (speculation->at_end != nullptr)
        speculation->at_end(speculation->data);
    const int completed = core.last() < core.begun() ? core.last() + 1 : core.begun();
    delete speculation;
    return completed;
}
