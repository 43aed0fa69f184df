// Shared by the tests of the core: tasks and regions made from lambdas.
#pragma once

#include <new>
#include <utility>
#include <vector>

#include "runtime/core/dependences/dependence.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/scheduling/spawning.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/scheduling/waiting.h"
#include "runtime/core/scheduling/work_first.h"
#include "runtime/core/team/team.h"

namespace loomp::core::test {

/// A task of the running one; its code is `body`.
template <class F> Task &make_task(F body, std::uint32_t flags = kTied) {
    Worker &worker = *Worker::current();
    Task &task = *allocate_task(worker, *worker.task, sizeof(F), flags);
    new (task.payload()) F(std::move(body));
    task.invoke = [](Task &self) {
        auto *code = static_cast<F *>(self.payload());
        (*code)();
        code->~F();
    };
    return task;
}

template <class F> void spawn_task(F body, std::uint32_t flags = kTied) {
    spawn(*Worker::current(), make_task(std::move(body), flags));
}
template <class F>
void spawn_task(F body, const std::vector<Dependence> &dependences, std::uint32_t flags = kTied) {
    spawn(make_task(std::move(body), flags), dependences.data(), dependences.size());
}

inline Dependence on(const void *address, Access access) { return {address, access, false}; }

/// A parallel region of `threads`; every member runs `body`.
template <class F> void in_parallel(int threads, F body) {
    ParallelRequest request;
    request.num_threads = threads;
    request.data = &body;
    request.body = [](void *data, Member &member) { (*static_cast<F *>(data))(member); };
    parallel(request);
}

/// A region in which only member 0 runs `body`; the others run its tasks.
template <class F> void in_single(int threads, F body) {
    in_parallel(threads, [&](Member &member) {
        if (member.num == 0)
            body();
    });
}

/// While it exists, no task runs at its creation. It is made outside regions.
class AllTasksQueued {
  public:
    AllTasksQueued() : possible_(std::exchange(work_first_possible, false)) {}
    ~AllTasksQueued() { work_first_possible = possible_; }
    AllTasksQueued(const AllTasksQueued &) = delete;
    AllTasksQueued &operator=(const AllTasksQueued &) = delete;

  private:
    bool possible_;
};

} // namespace loomp::core::test
