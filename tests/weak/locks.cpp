// Waiting for a lock: runtime/core/regions/lock.h, lock.cpp and lock_waiters.cpp, under relacy
// (model.h).
//
// Invariant: one task or thread holds the lock, and sees what earlier holders wrote; each that
// waits, suspended or asleep, gets it in the end.
#include "model.h"
#include "suspension.h"

#include "platform/event_count.cpp"
#include "platform/fence.cpp"
#include "platform/futex.cpp"
#include "platform/locks_at_fork.cpp"
#include "runtime/core/regions/lock.cpp"
#include "runtime/core/regions/lock_waiters.cpp"

namespace loomp::core {

namespace oversubscription {
Atomic<int> own_threads{2}; // more than processors: they spin briefly
Atomic<int> foreign_workers{0};
int processors = 1;
Atomic<unsigned> spin_limits[2];
bool looks_oversubscribed(int) { return true; }
} // namespace oversubscription

bool is_polling() { return false; }
bool must_release_creator(const Worker &) { return false; }
std::int64_t sleep_until_look(std::int64_t until) { return until; } // nobody looks for hangs
LockWait::LockWait() : team_(nullptr) {}
LockWait::~LockWait() = default;

} // namespace loomp::core

namespace loomp::weak {
namespace {

using namespace core;

alignas(Task) char task_memory[kMostWorkers][sizeof(Task)];

struct State {
    Mutex mutex;
    int guarded = 0;
};
State *state;

/// After an execution that failed; no access of the model's.
__attribute__((no_sanitize("thread"))) void forget_waiters() {
    for (auto &bucket : buckets)
        bucket.queues = nullptr;
}

/// Threads with a number below `tasks` run tasks that are suspended when they wait, each alone in
/// its team; the others run none, and sleep.
void before(int tasks) {
    prepare_workers();
    for (int i = 0; i < kMostWorkers; ++i) {
        Worker &worker = worker_of(i);
        worker.task = i < tasks ? reinterpret_cast<Task *>(task_memory[i]) : nullptr;
        worker.suspended_here.store(1, std::memory_order_relaxed);
    }
    forget_waiters();
    state = new State;
}
void before_tasks() { before(3); }
void before_both() { before(2); }

void thread(int) {
    for (int i = 0; i < 2; ++i) {
        state->mutex.lock();
        ++state->guarded;
        state->mutex.unlock();
    }
}

template <int threads> void after() {
    WEAK_CHECK(state->guarded == 2 * threads);
    WEAK_CHECK(state->mutex.try_lock());
}

constexpr Scenario kScenarios[] = {
    {"tasks", 2, before_tasks, thread, after<2>, Search::random, 20000},
    {"three tasks", 3, before_tasks, thread, after<3>, Search::random, 40000},
    {"tasks and a thread", 3, before_both, thread, after<3>, Search::random, 40000},
};

} // namespace
const std::span<const Scenario> scenarios = kScenarios;
} // namespace loomp::weak
