#include "runtime/target/left_tasks.h"

#include <cstddef>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "runtime/core/memory/address_hash.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/queues/target_queue.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/worker/worker.h"
#include "runtime/target/blocking.h"
#include "runtime/target/library_lifetime.h"
#include "runtime/target/operations_in_flight.h"
#include "runtime/target/stand_ins.h"

namespace loomp::target {

namespace {

/// Nanoseconds that a poll leaves a task to workers that are about to take it.
constexpr std::int64_t kPatience = 100'000;

/// Capacity of the table of constructs. If it is full, workers run the tasks of further constructs.
constexpr std::size_t kConstructs = 1024;
Atomic<const void *> constructs[kConstructs];

LOOMP_THREAD_LOCAL bool begins = false;
LOOMP_NOINLINE void set_begins(bool on) { begins = on; }

Atomic<bool> called{false}; ///< a stand-in is on its way

LOOMP_MAY_SWITCH void begin_left_tasks(StandInCall &) {
    called.store(false, std::memory_order_relaxed);
    while (core::Task *task = core::TargetQueue::pop_any()) {
        set_begins(true);
        core::execute(*task);
        set_begins(false);
        core::flush_completions(*core::Worker::current());
    }
}
StandInCall call{begin_left_tasks, nullptr};

/// Returns the table entry of a code, or the empty entry for it; null if the table is full.
Atomic<const void *> *place_of(const void *code) {
    std::size_t at = core::hash_address(code);
    for (std::size_t tries = 0; tries < kConstructs; ++tries, ++at) {
        Atomic<const void *> &place = constructs[at % kConstructs];
        const void *there = place.load(std::memory_order_relaxed);
        if (there == code || there == nullptr)
            return &place;
    }
    return nullptr;
}

} // namespace

void note_begun(const void *code) {
    Atomic<const void *> *place = code != nullptr ? place_of(code) : nullptr;
    if (place == nullptr || place->load(std::memory_order_relaxed) == code)
        return;
    serve_left_tasks();
    // relaxed: only the value matters. If another construct takes that entry first, the next call
    // notes this one.
    const void *nothing = nullptr;
    place->compare_exchange_strong(nothing, code, std::memory_order_relaxed);
}

bool is_begun_anywhere(const void *code, std::int64_t device) {
    if (!is_used(device))
        return false;
    const Atomic<const void *> *place = place_of(code);
    return place != nullptr && place->load(std::memory_order_relaxed) == code;
}

void serve_left_tasks() {
    core::TargetQueue::announce_to([] { core::expect(device_poller(), 1); });
}

int poll_left_tasks() {
    const int taken = core::TargetQueue::taken();
    const std::int64_t since = core::TargetQueue::left_since();
    if (since == 0 || is_forked() || called.load(std::memory_order_relaxed))
        return taken;
    const auto waiting = core::nanoseconds() - since;
    if (!core::helper_polls() && waiting < kPatience)
        return taken;
    // Only one poll at a time comes here, so the call is not given twice.
    called.store(true, std::memory_order_relaxed);
    if (!give_to_stand_in(call))
        called.store(false, std::memory_order_relaxed); // a worker will take the tasks
    return taken;
}

LOOMP_NOINLINE bool begins_task() { return begins; }

} // namespace loomp::target
