// Waiting inside a task: for its children, for predecessors, for other members, for nothing but a
// turn; what its worker does meanwhile on the same stack.
#pragma once

#include <cstddef>

#include "platform/threads.h"
#include "runtime/core/dependences/dependence.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/scheduling/scheduler.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/scheduling/switching.h"
#include "runtime/core/scheduling/taking.h"

namespace loomp::core {

/// taskwait: until the running task's children have completed.
LOOMP_MAY_SWITCH void taskwait();
/// Waits for the children for the runtime itself: this says nothing of the program's iterations.
LOOMP_MAY_SWITCH void complete_children();
/// taskwait depend.
LOOMP_MAY_SWITCH void taskwait(const Dependence *dependences, std::size_t count);
/// Waits for the tasks of the innermost taskgroup and closes it.
LOOMP_MAY_SWITCH void end_taskgroup();
/// taskyield: lets another ready or resumable task go first; false if there is none.
LOOMP_MAY_SWITCH_IF_TRUE bool taskyield();

/// Waits until the predecessors that `dependences` name have completed, as if a task with them
/// were next: before an undeferred task with these dependences.
LOOMP_MAY_SWITCH void wait_dependences(const Dependence *dependences, std::size_t count);
/// Waits until the predecessor has completed.
LOOMP_MAY_SWITCH void wait_for_task(const TaskRef &predecessor);

/// Waits for another member's progress, in an implicit task. It is not a task scheduling point, so
/// a thread only gives its processor away when the others may need it; but where tasks tied to it
/// are suspended, the other member may be waiting for one of them, which nobody else can run.
template <class Done> LOOMP_STAYS void wait_for_members(Done done) {
    for (unsigned spins = 0; !done(); ++spins) {
        if (spins < 128 && !oversubscribed())
            cpu_relax();
        else if (Worker::current()->suspended_here.load(std::memory_order_relaxed) == 0 ||
                 !taskyield())
            offer_processor();
    }
}

} // namespace loomp::core
