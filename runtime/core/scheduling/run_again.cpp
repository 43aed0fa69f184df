#include "runtime/core/scheduling/run_again.h"

#include "runtime/core/scheduling/completion.h"
#include "runtime/core/team/icv.h"

namespace loomp::core {

bool when_returned(ReturnedFn returned, void *data) {
    Task &running = *Worker::current()->task;
    if (!running.has(kTied) || running.has(kCleanup) || hold(0) == nullptr)
        return false;
    change_icvs(running, [&](IcvValues &own) {
        own.returned = returned;
        own.returned_data = data;
    });
    running.flags |= kTellsReturn;
    return true;
}

void run_again() { Worker::current()->task->flags |= kRequeue; }

} // namespace loomp::core
