#include "runtime/core/scheduling/detach_event.h"

#include <cstdlib>
#include <new>

#include "platform/diagnostics.h"
#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/scheduling/completion.h"

namespace loomp::core {

namespace {

struct alignas(kCacheLine) Event {
    /// The number of the use, times 2; 1 more while the event is not settled.
    Atomic<std::uint64_t> word{2};
    Task *task = nullptr; ///< constant until the event is settled, then the settling thread's
    Event *next = nullptr;
};

/// A handle has the low bits of the number in the bits that an address leaves free.
constexpr std::uint64_t kAddressBits = 48;
constexpr std::uint64_t kUses = kCacheLine << (64 - kAddressBits);

EventHandle handle_of(const Event &event, std::uint64_t use) {
    return reinterpret_cast<std::uintptr_t>(&event) / kCacheLine * kUses + use % kUses;
}
Event *event_of(EventHandle handle) {
    return reinterpret_cast<Event *>(handle / kUses * kCacheLine);
}

SpinLock lock; ///< guards the list
Event *unused = nullptr;
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(lock); });

Event &take_event() {
    {
        const SpinGuard guard(lock);
        if (Event *event = unused) {
            unused = event->next;
            return *event;
        }
    }
    return *new (or_fatal(std::aligned_alloc(alignof(Event), sizeof(Event)),
                          "out of memory: the event of a task")) Event;
}

} // namespace

EventHandle make_event(Task &task) {
    Event &event = take_event();
    event.task = &task;
    const std::uint64_t word = event.word.load(std::memory_order_relaxed);
    // release: the thread that settles the event finds its task.
    event.word.store(word + 1, std::memory_order_release);
    task.flags |= kDetachable;
    task.event = handle_of(event, word / 2);
    return task.event;
}

Task *settle_event(EventHandle handle) {
    Event *event = event_of(handle);
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

} // namespace loomp::core
