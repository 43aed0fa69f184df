// loomp.h: iterations ahead of the decision to stop.
#include "core/scheduling/speculation.h"

#include "abi/export.h"
#include "core/base/diagnostics.h"
#include "core/worker/worker.h"
#include "loomp/loomp.h"

using loomp::core::Speculation;
using loomp::core::Worker;

namespace {

Speculation &core_of(loomp_speculation_t *speculation) {
    return *reinterpret_cast<Speculation *>(speculation);
}

bool is_owner(const Speculation &speculation, const char *function) {
    const Worker *worker = Worker::current_or_null();
    if (worker != nullptr && worker->task != nullptr && speculation.is_of(*worker->task))
        return true;
    loomp::core::warn("%s(): only the task that began the iterations may call it; ignored",
                      function);
    return false;
}

} // namespace

LOOMP_EXPORT loomp_speculation_t *loomp_speculation_begin(void) {
    return reinterpret_cast<loomp_speculation_t *>(&loomp::core::begin_speculation());
}
LOOMP_EXPORT int loomp_speculation_next(loomp_speculation_t *speculation) {
    Speculation &core = core_of(speculation);
    return is_owner(core, "loomp_speculation_next") ? core.next() : -1;
}
LOOMP_EXPORT void loomp_speculation_cut(loomp_speculation_t *speculation, int last) {
    core_of(speculation).cut_after(last);
}
LOOMP_EXPORT int loomp_speculation_last(loomp_speculation_t *speculation) {
    return core_of(speculation).last();
}
LOOMP_EXPORT int loomp_speculation_iteration(loomp_speculation_t *speculation) {
    const Worker *worker = Worker::current_or_null();
    if (worker == nullptr || worker->task == nullptr)
        return -1;
    const loomp::core::IterationRef found = loomp::core::iteration_of(*worker->task);
    return found.speculation == &core_of(speculation) ? found.number : -1;
}
LOOMP_EXPORT int loomp_speculation_completed(loomp_speculation_t *speculation, int iteration) {
    return core_of(speculation).completed_up_to(iteration) ? 1 : 0;
}
LOOMP_EXPORT int loomp_speculation_wait(loomp_speculation_t *speculation) {
    Speculation &core = core_of(speculation);
    if (!is_owner(core, "loomp_speculation_wait"))
        return 1;
    core.wait();
    return 0;
}
LOOMP_EXPORT void loomp_speculation_end(loomp_speculation_t *speculation) {
    loomp::core::end_speculation(core_of(speculation));
}
