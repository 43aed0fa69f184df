// The work-stealing deque: runtime/core/queues/deque.h and deque.cpp, under relacy (model.h).
//
// Invariant: each task that was pushed is handed out once, by take() or steal(), and the thread
// that gets it sees what its creator wrote into it. Buffers hold two tasks at first here, so they
// wrap around and grow while thieves read.
#include "model.h"

#include "platform/diagnostics.h"
#include "runtime/core/queues/deque.cpp"

namespace loomp::core {

void *or_fatal(void *memory, const char *, ...) { return memory; }

/// Only its address counts, and a plain field that its creator writes.
struct Task {
    int written = 0;
    int handed_out = 0;
};

} // namespace loomp::core

namespace loomp::weak {
namespace {

using namespace core;

constexpr int kTasks = 6;

struct State {
    TaskDeque deque;
    Task tasks[kTasks];
    int pushed = 0;
};
State *state;

void hand_out(Task *task) {
    if (task == nullptr)
        return;
    WEAK_CHECK(task->written == 1);
    WEAK_CHECK(++task->handed_out == 1);
}

void push() {
    Task &task = state->tasks[state->pushed++];
    task.written = 1;
    state->deque.push(&task);
}

/// The deque has a buffer: a thief that sees none would end the process.
void before() {
    state = new State;
    push();
    hand_out(state->deque.take());
}

void after() {
    while (Task *task = state->deque.take())
        hand_out(task);
    for (int i = 0; i < state->pushed; ++i)
        WEAK_CHECK(state->tasks[i].handed_out == 1);
    delete state;
    WEAK_CHECK(blocks_in_use() == 0);
}

/// The owner takes while thieves steal, also the last one; buffers grow.
void owner_and_thieves(int number) {
    if (number != 0) {
        hand_out(state->deque.steal());
        hand_out(state->deque.steal());
        return;
    }
    push();
    push();
    hand_out(state->deque.take());
    push();
    push();
    push();
    hand_out(state->deque.take());
    hand_out(state->deque.take());
}

/// Two tasks, one taker and one thief that want both.
void last_ones(int number) {
    if (number == 0) {
        hand_out(state->deque.take());
        hand_out(state->deque.take());
    } else {
        hand_out(state->deque.steal());
        hand_out(state->deque.steal());
    }
}
/// A full buffer is replaced while a thief reads it.
void grow(int number) {
    if (number == 0) {
        push();
    } else {
        hand_out(state->deque.steal());
        hand_out(state->deque.steal());
    }
}

void before_with_two() {
    before();
    push();
    push();
}

constexpr Scenario kScenarios[] = {
    {"owner and thieves", 3, before, owner_and_thieves, after, Search::random, 40000},
    {"grow", 2, before_with_two, grow, after, Search::bound, 3},
    {"last ones", 2, before_with_two, last_ones, after, Search::bound, 3},
};

} // namespace
const std::span<const Scenario> scenarios = kScenarios;
} // namespace loomp::weak
