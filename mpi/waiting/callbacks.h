// Calls of the library that the poller makes, and functions of the program that it calls.
//
// The library may call the program back: reductions, error handlers, functions of generalized
// requests. The poller runs between tasks, where a thread has no current task, and on top of tasks
// that could leave the thread while it holds the library's locks. So the program's code has a task
// of its own there. In a call that a task makes itself, the code has that task.
#pragma once

#include "loomp/experimental.h"

namespace loomp::mpi {

/// Returns the result of `make()`, which may call the program back.
template <class Make> auto calling_back(Make make) {
    struct Made {
        Make &make;
        decltype(make()) result = {};
    } made{make};
    loomp_run_in_own_task(
        [](void *data) {
            auto &self = *static_cast<Made *>(data);
            self.result = self.make();
        },
        &made);
    return made.result;
}

} // namespace loomp::mpi
