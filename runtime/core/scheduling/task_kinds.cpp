#include "runtime/core/scheduling/task_kinds.h"

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"

namespace loomp::core {

namespace {

SpinLock kinds_lock; ///< writers hold it
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(kinds_lock); });
TaskKind kinds[kMaxTaskKinds];
/// Kinds made so far, and one. release: the kind is complete; a user of its number acquires.
Atomic<unsigned> kind_count{1};
/// The number that kind_in_queue() gave out for each kind and queue, or 0. Changed under the lock.
Atomic<std::uint8_t> kinds_in_queues[kMaxTaskKinds][SharedQueues::kCount];

/// The caller holds the lock. `itself`: 0, or the kind whose tasks in `queue` it stands for.
unsigned add_kind(BatchFn batch, void *context, unsigned max, unsigned itself, unsigned queue) {
    const unsigned kind = kind_count.load(std::memory_order_relaxed);
    if (kind == kMaxTaskKinds)
        return 0;
    kinds[kind].batch = batch;
    kinds[kind].context = context;
    kinds[kind].max = max;
    kinds[kind].itself = static_cast<std::uint8_t>(itself != 0 ? itself : kind);
    kinds[kind].queue = static_cast<std::uint8_t>(queue);
    kind_count.store(kind + 1, std::memory_order_release);
    return kind;
}

} // namespace

unsigned add_task_kind(BatchFn batch, void *context, unsigned max) {
    const SpinGuard guard(kinds_lock);
    return add_kind(batch, context, max, 0, 0);
}

unsigned kind_in_queue(unsigned kind, unsigned queue) {
    Atomic<std::uint8_t> &known = kinds_in_queues[kinds[kind].itself][queue];
    // acquire: the kind is complete.
    if (const unsigned made = known.load(std::memory_order_acquire); LOOMP_LIKELY(made != 0))
        return made;
    const SpinGuard guard(kinds_lock);
    if (const unsigned made = known.load(std::memory_order_relaxed))
        return made;
    const unsigned made = add_kind(kinds[kind].batch, kinds[kind].context, kinds[kind].max,
                                   kinds[kind].itself, queue);
    known.store(static_cast<std::uint8_t>(made), std::memory_order_release);
    return made;
}

const TaskKind &task_kind(unsigned kind) { return kinds[kind]; }

bool are_one_kind(unsigned one, unsigned other) { return kinds[one].itself == kinds[other].itself; }

bool is_task_kind(int kind) {
    return kind > 0 && static_cast<unsigned>(kind) < kind_count.load(std::memory_order_acquire) &&
           kinds[kind].itself == kind;
}

bool runs_by_itself(const Task &task) {
    // A batch runs as its first task: if that were final, what the others create would run at once.
    constexpr TaskFlags alone_by_flags =
        kExclusive | kPrioritized | kDetachable | kCleanup | kFinal;
    if ((task.flags & alone_by_flags) != 0)
        return true;
    Atomic<InvokeFn> &word = kinds[task.route.kind()].alone;
    // relaxed: the word is all there is.
    InvokeFn alone = word.load(std::memory_order_relaxed);
    if (LOOMP_UNLIKELY(alone == nullptr) &&
        word.compare_exchange_strong(alone, task.invoke, std::memory_order_relaxed))
        return false;
    return alone != task.invoke;
}

} // namespace loomp::core
