// The locks of mutexinoutset: runtime/core/dependences/exclusion.h and exclusion.cpp, under relacy
// (model.h).
//
// Invariant: tasks that list the same lock do not run at the same time, and the later sees what the
// earlier wrote; each task runs once; the last reference deletes a lock after the others' use.
#include "model.h"

#include "runtime/core/dependences/exclusion.cpp"

namespace loomp::core {

AttachedBlock *attach_block(Worker &, Task &, std::size_t, std::uint32_t) { return nullptr; }

} // namespace loomp::core

namespace loomp::weak {
namespace {

using namespace core;

constexpr int kTasks = 3;

struct State {
    Exclusion *locks[2];
    int guarded[2] = {};
    Task *tasks[kTasks];
    int runs[kTasks] = {};
    int locks_of[kTasks]; ///< bits
};
State *state;

Task *make_task(int locks) {
    constexpr std::size_t size = sizeof(AttachedBlock) + 2 * sizeof(Exclusion *);
    Task *task = new Task{};
    task->attached = static_cast<AttachedBlock *>(::operator new(size));
    std::memset(task->attached, 0, size);
    task->flags = kExclusive;
#if LOOMP_ASSERTS
    task->phase.store(TaskPhase::ready, std::memory_order_relaxed);
#endif
    for (int i = 0; i < 2; ++i)
        if ((locks >> i & 1) != 0)
            add_exclusion(*task, *state->locks[i]);
    return task;
}

void before(int first, int second, int third) {
    state = new State;
    for (Exclusion *&lock : state->locks)
        lock = new Exclusion;
    const int locks[] = {first, second, third};
    for (int i = 0; i < kTasks; ++i) {
        state->locks_of[i] = locks[i];
        state->tasks[i] = make_task(locks[i]);
    }
    for (Exclusion *lock : state->locks)
        lock->drop();
}
void before_chain() { before(1, 3, 2); }
void before_same() { before(1, 1, 3); }

/// Runs a task that has its locks, and those that this makes ready.
void run(Task *task) {
    Task *ready[kTasks];
    int count = 0;
    ready[count++] = task;
    while (count > 0) {
        Task &next = *ready[--count];
        for (int i = 0; i < kTasks; ++i)
            if (state->tasks[i] == &next)
                ++state->runs[i];
        int locks = 0;
        for (int i = 0; i < kTasks; ++i)
            locks |= state->tasks[i] == &next ? state->locks_of[i] : 0;
        for (int i = 0; i < 2; ++i)
            if ((locks >> i & 1) != 0)
                ++state->guarded[i];
        free_exclusions(next, [&](Task &other) {
            WEAK_CHECK(take_exclusions(other)); // as the worker that runs it
            ready[count++] = &other;
        });
    }
}

void thread(int number) {
    Task *task = state->tasks[number];
    if (take_exclusions(*task))
        run(task);
}

void after() {
    int expected[2] = {};
    for (int i = 0; i < kTasks; ++i) {
        WEAK_CHECK(state->runs[i] == 1);
        for (int lock = 0; lock < 2; ++lock)
            expected[lock] += state->locks_of[i] >> lock & 1;
    }
    WEAK_CHECK(state->guarded[0] == expected[0] && state->guarded[1] == expected[1]);
    // The tasks, their lists, and the state are left; the locks are not.
    WEAK_CHECK(blocks_in_use() == 2 * kTasks + 1);
}

constexpr Scenario kScenarios[] = {
    {"chain", 3, before_chain, thread, after, Search::random, 20000},
    {"same", 3, before_same, thread, after, Search::random, 20000},
};

} // namespace
const std::span<const Scenario> scenarios = kScenarios;
} // namespace loomp::weak
