#include "core/external/run_again.h"

#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "core/base/clock.h"
#include "core/base/diagnostics.h"
#include "core/base/locks_at_fork.h"
#include "core/external/block.h"
#include "core/external/timer.h"
#include "core/scheduling/completion.h"
#include "core/scheduling/queueing.h"
#include "core/task/task_table.h"
#include "core/worker/worker.h"

namespace loomp::core {

namespace {

/// The task's own: made by its first call, freed when it ends.
struct Request : Timer {
    Task *task = nullptr;
    Request *further[kTableWays] = {};
    RunAgain when = RunAgain::when_unblocked;
    std::uint64_t time = 0;
};

TaskTable<Request> table;
const LocksAtFork at_fork([](LocksAtFork::Each each) { table.visit_locks(each); });

/// Stays where it is until the task frees it, so only the search needs the lock.
Request *request_of(const Task &task) {
    auto &part = table.part_of(task);
    const SpinGuard guard(part.lock);
    return part.find(task);
}

/// Of the running task; null if it cannot have one.
Request *request_of_running_task() {
    Task &running = *Worker::current()->task;
    if (running.has(kRunsAgain))
        return request_of(running);
    if (!running.has(kTied) || running.has(kCleanup) || hold(0) == nullptr)
        return nullptr;
    void *memory = std::malloc(sizeof(Request));
    if (memory == nullptr)
        fatal("out of memory: a task that is run again");
    auto *request = new (memory) Request;
    request->task = &running;
    running.flags |= kRunsAgain;
    auto &part = table.part_of(running);
    const SpinGuard guard(part.lock);
    part.insert(*request);
    return request;
}

void start_timer(Request &request) {
    constexpr auto latest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const std::uint64_t now = nanoseconds();
    request.due =
        static_cast<std::int64_t>(request.time < latest - now ? now + request.time : latest);
    request.expire = [](Timer &self) { enqueue_from_outside(*static_cast<Request &>(self).task); };
    start_timer(static_cast<Timer &>(request));
}

} // namespace

bool set_run_again(RunAgain when, std::uint64_t time) {
    Request *request = request_of_running_task();
    if (request == nullptr)
        return false;
    request->when = when;
    request->time = time;
    return true;
}

bool run_again() {
    if (request_of_running_task() == nullptr)
        return false;
    Worker::current()->task->flags |= kRequeue;
    return true;
}

namespace completion {

void wait_to_run_again(Task &task) {
    Request &request = *request_of(task);
    switch (request.when) {
    case RunAgain::when_unblocked:
        return ready_when_unblocked(task);
    case RunAgain::at_once:
        return enqueue_from_outside(task);
    case RunAgain::after_time:
        return start_timer(request);
    case RunAgain::after_events:
        // acq_rel: as at a task's end, see finish_special().
        if (task.detach.fetch_or(detach::kBodyReturned, std::memory_order_acq_rel) ==
            detach::kEventHappened)
            runs_after_events(task);
        return;
    }
}

bool runs_after_events(Task &task) {
    if (!task.has(kRunsAgain))
        return false;
    // relaxed: nobody else has anything to do with the word while nothing holds the task.
    task.detach.fetch_and(~detach::kBodyReturned, std::memory_order_relaxed);
    enqueue_from_outside(task);
    return true;
}

void forget_run_again(Task &task) {
    task.flags &= ~kRunsAgain;
    auto &part = table.part_of(task);
    Request *request;
    {
        const SpinGuard guard(part.lock);
        request = part.find(task);
        part.remove(*request);
    }
    std::free(request);
}

} // namespace completion
} // namespace loomp::core
