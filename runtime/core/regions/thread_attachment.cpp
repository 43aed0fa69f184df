#include "runtime/core/regions/thread.h"

#include "platform/diagnostics.h"
#include "platform/threads.h"
#include "runtime/core/process/runtime.h"
#include "runtime/core/regions/teams.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/suspension/stack_overflow.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

constinit AtThreadEnd thread_end;

/// A thread of the program ends.
void detach_thread(void *argument) {
    auto *worker = static_cast<Worker *>(argument);
    if (worker->member != nullptr && worker->member->team != worker->root_team) {
        // The thread ends inside a region, whose team needs the worker.
        worker->regions.reset();
        return;
    }
    Worker::set_current(worker);
    dissolve_root(*worker);
    give_back_spares(*worker);
    unwatch_stack_overflow(*worker);
    worker->exceptions = &no_exceptions;
    Worker::set_current(nullptr);
    worker->rest.begin();
    put_back_worker(*worker);
}

} // namespace

Worker &attach_calling_thread() {
    initialize();
    if (start_tool != nullptr)
        start_tool();
    Worker *worker = new_worker(true);
    if (worker == nullptr && worker_count() < kMaxWorkers)
        fatal("out of memory: a thread that begins to use OpenMP");
    if (worker == nullptr)
        fatal("more than %u threads use OpenMP at once", kMaxWorkers);
    Worker::set_current(worker);
    worker->os_thread = this_thread_number();
    worker->place = -1;
    worker->stack = nullptr;
    worker->lowest_on_top = nullptr;
    worker->after = {};
    thread_end.set(worker);
    worker->rest.end();
    LOOMP_TOOL(thread_begin, *worker);
    make_root_team(*worker);
    return *worker;
}

void retire_worker(Worker &worker) {
    give_back_spares(worker);
    Worker::set_current(nullptr);
    worker.task = nullptr;
    worker.tie = nullptr;
    worker.after = {};
    worker.exceptions = &no_exceptions;
    worker.place = -1;
    worker.displayed_affinity = 0;
    worker.tool_data = {};
    worker.retiring = false;
    put_back_worker(worker);
}

void watch_thread_exits() { thread_end.watch(detach_thread); }

} // namespace loomp::core
