// The children word (runtime/core/task/task.h): completion.cpp and taskwait() of waiting.cpp in
// runtime/core/scheduling, under relacy (model.h).
//
// Invariant: a wait ends when its condition holds, by one signal, and then sees what the awaited
// children wrote; a task's block is released once, after its children.
#include "model.h"
#include "suspension.h"

#include "runtime/core/scheduling/completion.cpp"
#include "runtime/core/scheduling/waiting.cpp"

namespace loomp::core {

bool tool_enabled = false;
bool persists_automatically = false;
Atomic<int> throttled_creators{0};
namespace progress {
Atomic<std::int64_t> pending{0};
}
bool oldest_first = false;
void suspend_awaiting(Suspension &suspension, ArmFn arm, void *argument, Task *first) {
    suspend(suspension, arm, argument, first);
}

} // namespace loomp::core

namespace loomp::weak {
namespace {

using namespace core;

struct State {
    Task *root;
    Task *parent;     ///< a child of the root with a child of its own
    Task *leaf;       ///< a child of the root
    Task *grandchild; ///< the parent's
    int results[3] = {};
    Atomic<bool> created{false}; ///< the root's children
    Atomic<bool> grand{false};   ///< the parent's child
    Suspension last;
};
State *state;

Task *make_task(Task *parent) {
    Task *task = new Task{};
    task->parent = parent;
    task->phase.store(parent == nullptr ? TaskPhase::running : TaskPhase::finished,
                      std::memory_order_relaxed);
    return task;
}

void before() {
    prepare_workers();
    state = new State;
    state->root = make_task(nullptr);
    state->root->flags = kImplicit;
    state->parent = make_task(state->root);
    state->leaf = make_task(state->root);
    state->grandchild = make_task(state->parent);
    for (int i = 0; i < 3; ++i) {
        worker_of(i).index = 0; // all blocks are at home everywhere
        worker_of(i).task = state->root;
    }
}

void complete(Task &task) { completion::complete(*Worker::current(), task, Completion::and_go_on); }

/// Waits for the last task below the root, as arrive_when_quiet() (runtime/core/team/barrier.cpp).
void wait_for_tree(Task &root) {
    const std::uint64_t delta = root.created * children::kOne + children::kWaitReleased;
    root.created = 0;
    suspend_until(state->last, [&root, delta] {
        return !children::all_released(root.children.fetch_add(delta, std::memory_order_acq_rel) +
                                       delta);
    });
}

void thread(int number) {
    switch (number) {
    case 0: {
        Task &root = *state->root;
        root.created = 2;
        state->created.store(true, std::memory_order_release);
        taskwait();
        WEAK_CHECK(state->results[0] == 1 && state->results[1] == 1);
        wait_for_tree(root);
        WEAK_CHECK(state->results[2] == 1);
        // Their memory may be used again.
        for (Task *task : {state->parent, state->leaf, state->grandchild})
            task->invoke = nullptr;
        WEAK_CHECK(children::all_released(root.children.load(std::memory_order_relaxed)));
        break;
    }
    case 1:
        while (!state->created.load(std::memory_order_acquire))
            spin();
        ++state->parent->created;
        state->grand.store(true, std::memory_order_release);
        state->results[0] = 1;
        complete(*state->parent);
        break;
    default:
        while (!state->grand.load(std::memory_order_acquire))
            spin();
        state->results[2] = 1;
        complete(*state->grandchild);
        state->results[1] = 1;
        complete(*state->leaf);
    }
}

void after() {
    for (Task *task : {state->parent, state->leaf, state->grandchild})
        WEAK_CHECK(is_in(*task, TaskPhase::released));
}

constexpr Scenario kScenarios[] = {
    {"taskwait and barrier", 3, before, thread, after, Search::random, 40000},
};

} // namespace
const std::span<const Scenario> scenarios = kScenarios;
} // namespace loomp::weak

namespace loomp::core {

void arrive_for(Member &) { make_resumable(weak::state->last); }

} // namespace loomp::core
