// Throttled creators: runtime/core/scheduling/throttle.cpp and throttled_creators.cpp, with
// leaves_completed() of completion.cpp there, under relacy (model.h).
//
// Invariant: a suspension is resumed once, while it is in place; the creator continues when few
// enough of its children are left, or when it is let go, and is not left behind.
#include "model.h"
#include "suspension.h"

#include "runtime/core/scheduling/completion.cpp"
#include "runtime/core/scheduling/throttle.cpp"
#include "runtime/core/scheduling/throttled_creators.cpp"

namespace loomp::core {

const TaskSettings &task_settings() {
    static constexpr TaskSettings settings{.max_tasks = 2};
    return settings;
}

} // namespace loomp::core

namespace loomp::weak {
namespace {

using namespace core;

constexpr int kChildren = 4;

struct State {
    Task *creator;
    Atomic<int> created{0};
    Atomic<int> taken{0};
    int results[kChildren] = {};
};
State *state;

void before() {
    prepare_workers();
    state = new State;
    state->creator = new Task{};
    state->creator->phase.store(TaskPhase::running, std::memory_order_relaxed);
    worker_of(0).task = state->creator;
}

void create() {
    for (int i = 0; i < kChildren; ++i) {
        ++state->creator->created;
        state->created.store(i + 1, std::memory_order_release);
        throttle_by_number(worker_of(0));
    }
}

void complete(int count) {
    while (count > 0) {
        while (state->created.load(std::memory_order_acquire) <=
               state->taken.load(std::memory_order_relaxed))
            spin();
        const int child = state->taken.fetch_add(1, std::memory_order_relaxed);
        while (state->created.load(std::memory_order_acquire) <= child)
            spin();
        state->results[child] = 1;
        completion::leaves_completed(*state->creator, 1);
        --count;
    }
}

void thread(int number) {
    if (number == 0)
        create();
    else
        complete(kChildren / 2);
}

/// One completes all children, the other lets the creator go on (twice, at any moment).
void let_go(int number) {
    switch (number) {
    case 0:
        create();
        break;
    case 1:
        complete(kChildren);
        break;
    default:
        let_creator_go_on(*state->creator);
        let_creator_go_on(*state->creator);
    }
}

void after() {
    Task &creator = *state->creator;
    WEAK_CHECK(children::live(fold_created(creator)) == 0);
    WEAK_CHECK((creator.children.load(std::memory_order_relaxed) & children::kFlags) == 0);
    WEAK_CHECK(throttled_creators.load(std::memory_order_relaxed) == 0);
    for (const int result : state->results)
        WEAK_CHECK(result == 1);
}

constexpr Scenario kScenarios[] = {
    {"two complete", 3, before, thread, after, Search::random, 40000},
    {"let go", 3, before, let_go, after, Search::random, 40000},
};

} // namespace
const std::span<const Scenario> scenarios = kScenarios;
} // namespace loomp::weak
