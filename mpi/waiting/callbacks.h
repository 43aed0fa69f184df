// Functions of the program that the library calls: reductions, error handlers, functions of
// generalized requests.
//
// The library may call them in any of its calls, under its locks. The poller makes calls between
// tasks, where a thread has no current task, and on top of tasks that could leave the thread. A
// task that makes a call could leave it, too, or its thread could run another task that calls the
// library meanwhile. So the program's functions have a task of their own there, which does neither.
// A thread that waits in such a function does not poll either, because it is inside the library.
//
// Calls that the layer does not replace are not covered, such as MPI_Iallreduce in a task.
//
// Thread safety: everything from any thread.
#pragma once

#include "loomp/experimental.h"
#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::mpi {

namespace callbacks {
/// The program has given the library a function.
extern Atomic<bool> exist;
/// The calling thread's calls that may call back. It lies in the memory that threads have from
/// their start.
extern LOOMP_THREAD_LOCAL int depth __attribute__((tls_model("initial-exec")));
} // namespace callbacks

// relaxed: the program gives the library a function before it makes a call with that.
inline void expect_callbacks() { callbacks::exist.store(true, std::memory_order_relaxed); }

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

/// Returns the result of `make()`, a call that is made for the program in a thread of its own or of
/// the layer's. Programs without such functions pay for one test.
template <class Make> auto possibly_calling_back(Make make) {
    if (!callbacks::exist.load(std::memory_order_relaxed))
        return make();
    ++callbacks::depth;
    const auto result = calling_back(make);
    --callbacks::depth;
    return result;
}

/// True if the calling thread is inside a call of the library's that may call back.
inline bool may_be_called_back() { return callbacks::depth != 0; }

} // namespace loomp::mpi
