#include "core/worker.h"

#include <cerrno>
#include <cstdlib>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/fork.h"
#include "core/message.h"
#include "core/runtime.h"
#include "core/scheduler.h"
#include "core/spinlock.h"
#include "core/stack.h"
#include "core/team.h"

namespace loomp::core {

constinit thread_local Worker *Worker::current_ = nullptr;
Worker *Worker::table_[kMaxWorkers];

namespace {

SpinLock registry_lock; ///< guards the lists and the making of workers
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(registry_lock); });
Worker *free_foreign = nullptr;
Worker *free_retired = nullptr;
std::atomic<Worker *> last_foreign{nullptr}; ///< written under the lock
std::atomic<unsigned> made{0};

pthread_key_t exit_key;
std::atomic<bool> exit_key_made{false};

/// What only the worker's thread could use, before that ends.
void give_back_memory(Worker &worker) {
    worker.task_blocks.flush();
    worker.attached_blocks.flush();
    while (Stack *stack = worker.spare_stacks) {
        worker.spare_stacks = stack->next;
        release_stack(stack);
    }
}

/// A thread of the program ends.
void detach_thread(void *argument) {
    auto *worker = static_cast<Worker *>(argument);
    if (worker->member != nullptr && worker->member->team != worker->root_team) {
        // Ends inside a region: its team needs the worker.
        worker->regions.reset();
        return;
    }
    Worker::set_current(worker);
    dissolve_root(*worker);
    give_back_memory(*worker);
    worker->exceptions = &no_exceptions;
    Worker::set_current(nullptr);
    worker->rest.begin();
    const SpinGuard guard(registry_lock);
    worker->next_idle = free_foreign;
    free_foreign = worker;
}

} // namespace

void Worker::set_current(Worker *worker) {
    if (worker != nullptr)
        worker->error = &errno;
    store_current(worker);
}

/// A function of its own, that calls nothing: see current_or_null().
LOOMP_NOINLINE void Worker::store_current(Worker *worker) { current_ = worker; }

void retire_worker(Worker &worker) {
    give_back_memory(worker);
    Worker::set_current(nullptr);
    worker.task = nullptr;
    worker.tie = nullptr;
    worker.after = {};
    worker.exceptions = &no_exceptions;
    worker.place = -1;
    worker.displayed_affinity = 0;
    worker.tool_data = {};
    worker.retiring = false;
    const SpinGuard guard(registry_lock);
    worker.next_idle = free_retired;
    free_retired = &worker;
}

Worker *first_foreign_worker() { return last_foreign.load(std::memory_order_acquire); }

unsigned worker_count() { return made.load(std::memory_order_acquire); }

Worker *new_worker(bool foreign) {
    const SpinGuard guard(registry_lock);
    Worker *&free_workers = foreign ? free_foreign : free_retired;
    if (Worker *worker = free_workers) {
        free_workers = worker->next_idle;
        return worker;
    }
    const unsigned index = made.load(std::memory_order_relaxed);
    if (index >= kMaxWorkers)
        return nullptr;
    void *memory = std::aligned_alloc(alignof(Worker), sizeof(Worker));
    if (memory == nullptr)
        return nullptr;
    auto *worker = new (memory) Worker;
    worker->index = index;
    worker->seed = index * 2654435761u + 1;
    worker->is_foreign = foreign;
    if (foreign) {
        worker->next_foreign = last_foreign.load(std::memory_order_relaxed);
        // release: who finds the worker finds it made.
        last_foreign.store(worker, std::memory_order_release);
        crowding::foreign_workers.fetch_add(1, std::memory_order_relaxed);
    }
    Worker::table_[index] = worker;
    // release: who sees the count sees the table's entry.
    made.store(index + 1, std::memory_order_release);
    return worker;
}

Worker *Worker::attach_thread() {
    initialize();
    if (start_tool != nullptr)
        start_tool();
    Worker *worker = new_worker(true);
    if (worker == nullptr)
        fatal("more than %u threads use OpenMP at once", kMaxWorkers);
    set_current(worker);
    worker->thread = pthread_self();
    worker->os_thread = static_cast<int>(syscall(SYS_gettid));
    worker->place = -1;
    worker->stack = nullptr;
    worker->after = {};
    if (exit_key_made.load(std::memory_order_acquire))
        pthread_setspecific(exit_key, worker);
    worker->rest.end();
    LOOMP_TOOL(thread_begin, *worker);
    make_root_team(*worker);
    return worker;
}

void forget_workers_after_fork() {
    Worker *self = Worker::current_or_null();
    for (unsigned i = 0; i < worker_count(); ++i) {
        Worker &worker = Worker::at(i);
        if (&worker == self) {
            worker.os_thread = static_cast<int>(syscall(SYS_gettid));
            continue;
        }
        worker.rest.begin();
        worker.regions.reset();
    }
}

void watch_thread_exits() {
    if (pthread_key_create(&exit_key, detach_thread) == 0)
        exit_key_made.store(true, std::memory_order_release);
}

} // namespace loomp::core
