#include "runtime/core/worker/worker.h"

#include <cstdlib>
#include <new>

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "platform/threads.h"
#include "runtime/core/regions/thread.h"

namespace loomp::core {

LOOMP_THREAD_LOCAL Worker *Worker::current_ = nullptr;
Worker *Worker::table_[kMaxWorkers];

namespace {

/// Only the calling thread exists in the child of fork().
void forget_others() {
    Worker *self = Worker::current_or_null();
    for (unsigned i = 0; i < worker_count(); ++i) {
        Worker &worker = Worker::at(i);
        if (&worker == self) {
            worker.os_thread = this_thread_number();
            continue;
        }
        worker.rest.begin();
        worker.regions.reset();
    }
}

std::uint32_t seed_of(std::uint32_t index) { return index * 2654435761u + 1; }

SpinLock registry_lock; ///< guards the lists and the creation of workers
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(registry_lock); }, forget_others);
Worker *free_foreign = nullptr;
Worker *free_retired = nullptr;
Atomic<Worker *> last_foreign{nullptr}; ///< written under the lock
Atomic<unsigned> made{0};

} // namespace

void Worker::set_current(Worker *worker) {
    if (worker != nullptr)
        worker->error = &system_error();
    store_current(worker);
}

/// A separate function without calls: see current_or_null().
LOOMP_NOINLINE void Worker::store_current(Worker *worker) { current_ = worker; }

Worker *first_foreign_worker() { return last_foreign.load(std::memory_order_acquire); }

unsigned worker_count() { return made.load(std::memory_order_acquire); }

Worker *new_worker(bool foreign) {
    const SpinGuard guard(registry_lock);
    Worker *&free_workers = foreign ? free_foreign : free_retired;
    if (Worker *worker = free_workers) {
        free_workers = worker->next_idle;
        worker->unused = false;
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
    worker->seed = seed_of(index);
    worker->is_foreign = foreign;
    if (foreign) {
        worker->next_foreign = last_foreign.load(std::memory_order_relaxed);
        // release: a thread that finds the worker sees it complete.
        last_foreign.store(worker, std::memory_order_release);
        oversubscription::foreign_workers.fetch_add(1, std::memory_order_relaxed);
    }
    Worker::table_[index] = worker;
    // release: a thread that sees the count sees the table's entry.
    made.store(index + 1, std::memory_order_release);
    return worker;
}

void put_back_worker(Worker &worker) {
    const SpinGuard guard(registry_lock);
    Worker *&free_workers = worker.is_foreign ? free_foreign : free_retired;
    worker.next_idle = free_workers;
    worker.unused = true;
    free_workers = &worker;
}

void reuse_after_fork(Worker &worker) {
    LOOMP_ASSERT(!worker.is_foreign);
    if (worker.unused)
        return;
    // Its thread may have been anywhere, so all but the signal stack is as in a new one. Blocks in
    // its caches are lost.
    const std::uint32_t index = worker.index;
    void *const signal_stack = worker.signal_stack;
    new (&worker) Worker;
    worker.index = index;
    worker.seed = seed_of(index);
    worker.signal_stack = signal_stack; // another handler of fork() takes it
    put_back_worker(worker);
}

Worker *Worker::attach_thread() { return &attach_calling_thread(); }

AttachedBlock *attach_block(Worker &worker, Task &task, std::size_t contents, std::uint32_t count) {
    const unsigned size_class = size_class_of(sizeof(AttachedBlock) + contents);
    auto *block = static_cast<AttachedBlock *>(worker.attached_blocks.allocate(size_class));
    block->size_class = size_class;
    block->count = count;
    AttachedBlock *&link =
        (task.flags & (kExclusive | kExports)) != 0 ? task.attached->next : task.attached;
    block->next = link;
    link = block;
    return block;
}

void free_first_block(Worker &worker, Task &task) {
    AttachedBlock *block = task.attached;
    task.attached = block->next;
    if (task.home == worker.index)
        worker.attached_blocks.free_local(block, block->size_class);
    else
        worker.attached_blocks.free_remote(block, block->size_class,
                                           Worker::at(task.home).attached_blocks);
}

} // namespace loomp::core
