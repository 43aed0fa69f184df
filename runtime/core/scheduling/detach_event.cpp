#include "runtime/core/scheduling/detach_event.h"

#include <cstdlib>
#include <new>

#include "platform/diagnostics.h"
#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/dependences/successors.h"
#include "runtime/core/progress/hang.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/task/task_code.h"

namespace loomp::core {

DetachEvent *last_event_made = nullptr;

namespace {

/// A handle has the low bits of the number in the bits that an address leaves free.
constexpr std::uint64_t kAddressBits = 48;
constexpr std::uint64_t kUses = kCacheLine << (64 - kAddressBits);

EventHandle handle_of(const DetachEvent &event, std::uint64_t use) {
    return reinterpret_cast<std::uintptr_t>(&event) / kCacheLine * kUses + use % kUses;
}
DetachEvent *event_of(EventHandle handle) {
    return reinterpret_cast<DetachEvent *>(handle / kUses * kCacheLine);
}

SpinLock lock; ///< guards the lists, and changes of the count of unsettled events
DetachEvent *unused = nullptr;
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(lock); });

DetachEvent &take_event() {
    {
        const SpinGuard guard(lock);
        unsettled_events = unsettled_events + 1;
        if (DetachEvent *event = unused) {
            unused = event->next;
            return *event;
        }
    }
    DetachEvent &event =
        *new (or_fatal(std::aligned_alloc(alignof(DetachEvent), sizeof(DetachEvent)),
                       "out of memory: the event of a task")) DetachEvent;
    const SpinGuard guard(lock);
    event.made_before = last_event_made;
    last_event_made = &event;
    return event;
}

} // namespace

EventHandle make_event(Task &task) {
    DetachEvent &event = take_event();
    event.task = &task;
    const std::uint64_t word = event.word.load(std::memory_order_relaxed);
    // release: the thread that settles the event finds its task.
    event.word.store(word + 1, std::memory_order_release);
    task.flags |= kDetachable;
    task.event = handle_of(event, word / 2);
    return task.event;
}

Task *settle_event(EventHandle handle) {
    DetachEvent *event = event_of(handle);
    if (event == nullptr)
        return nullptr;
    std::uint64_t word = event->word.load(std::memory_order_relaxed);
    // acquire: see make_event(). The word ends this use, so one thread succeeds.
    if (word % 2 == 0 || word / 2 % kUses != handle % kUses ||
        !event->word.compare_exchange_strong(word, word + 1, std::memory_order_acquire,
                                             std::memory_order_relaxed))
        return nullptr;
    Task *task = event->task;
    const SpinGuard guard(lock);
    unsettled_events = unsettled_events - 1;
    event->next = unused;
    unused = event;
    return task;
}

void fulfill_event(EventHandle handle) {
    if (Task *task = settle_event(handle))
        fulfill(*task);
}

void discard_event(Task &task) {
    // relaxed: finish() follows in this task. If another thread has settled the event, it fulfils
    // it.
    if (settle_event(task.event) != nullptr)
        task.detach.fetch_or(detach::kEventHappened, std::memory_order_relaxed);
}

namespace {

int count_successors(const Task &task) {
    constexpr int kMost = 1000; // another thread may change the list
    int count = 0;
    if (!task.has(kHasDependences))
        return 0;
    const std::uint64_t word = task.successors.load(std::memory_order_acquire);
    if ((word & successors::kPointerMask) == successors::kClosed)
        return 0;
    for (const Edge *edge = successors::head(word); edge != nullptr && count < kMost;
         edge = edge->next)
        ++count;
    return count;
}

} // namespace

int lost_events(LostEvent *found, int most) {
    int count = 0;
    const SpinGuard guard(lock);
    for (const DetachEvent *event = last_event_made; event != nullptr; event = event->made_before) {
        // acquire: the task of this use. It stays as long as the event is not settled, and its
        // memory is only ever a task's.
        const std::uint64_t word = event->word.load(std::memory_order_acquire);
        if (word % 2 == 0)
            continue;
        const Task &task = *event->task;
        constexpr std::uint32_t kBoth = detach::kBodyReturned | detach::kEventHappened;
        if ((task.detach.load(std::memory_order_acquire) & kBoth) != detach::kBodyReturned)
            continue;
        constexpr std::uint64_t kWaits =
            children::kWaitCompleted | children::kWaitReleased | children::kWaitGroup;
        const LostEvent lost = {code_of(task), count_successors(task),
                                (task.parent->children.load(std::memory_order_relaxed) & kWaits) !=
                                    0};
        // relaxed: a use that has ended meanwhile has another number.
        if (event->word.load(std::memory_order_relaxed) != word)
            continue;
        if (count < most)
            found[count] = lost;
        ++count;
    }
    return count;
}

} // namespace loomp::core
