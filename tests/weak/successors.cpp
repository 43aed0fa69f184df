// A task's list of successors: runtime/core/dependences/successors.h and push_edge() in linking.cpp
// there, under relacy (model.h).
//
// Invariant: a successor becomes ready once, by the completer or by its creator, and the thread
// that makes it ready sees what the predecessor and the creator wrote. A reference to an earlier
// use of the predecessor's block makes no edge, and finds the effects of that use.
#include "model.h"
#include "suspension.h"

#include "platform/locks_at_fork.cpp"
#include "runtime/core/dependences/linking.cpp"

namespace loomp::core {

bool tool_sees_edges = false;

AttachedBlock *attach_block(Worker &, Task &, std::size_t, std::uint32_t) {
    WEAK_CHECK(!"a task with so many edges");
    return nullptr;
}

} // namespace loomp::core

namespace loomp::weak {
namespace {

using namespace core;

struct State {
    Task *first;
    TaskRef reference;
    int result = 0; ///< of the predecessor's first use
    struct Successor {
        Task *task;
        int argument = 0;
        int runs = 0;
    } successors[2];
};
State *state;

Task *make_task() {
    const unsigned size_class = size_class_of(sizeof(Task) + 4 * sizeof(Edge));
    void *memory = ::operator new(size_of_class(size_class), std::align_val_t{alignof(Task)});
    std::memset(memory, 0, size_of_class(size_class));
    Task *task = new (memory) Task{};
    task->size_class = static_cast<std::uint8_t>(size_class);
    task->edge_space = static_cast<Edge *>(task->payload());
    task->successors.store(successors::kClosed, std::memory_order_relaxed);
    return task;
}

void before() {
    prepare_workers();
    state = new State;
    state->first = make_task();
    open_successors(*state->first);
    state->reference = {state->first, 1};
    for (auto &successor : state->successors)
        successor.task = make_task();
}

void run(const Task &task) {
    for (auto &successor : state->successors)
        if (successor.task == &task) {
            WEAK_CHECK(state->result == 1);
            WEAK_CHECK(successor.argument == 1);
            ++successor.runs;
        }
}

void complete(Task &task) {
    release_successors(task, [](Task &ready) { run(ready); });
}

void link(int number) {
    auto &successor = state->successors[number];
    successor.argument = 1;
    if (link_after(*successor.task, state->reference))
        run(*successor.task);
}

/// The block is used again after the task's end.
void thread(int number) {
    if (number != 0)
        return link(number - 1);
    state->result = 1;
    complete(*state->first);
    open_successors(*state->first);
    complete(*state->first);
}

/// The scenario asks only whether the predecessor has completed.
void ask(int number) {
    if (number == 0)
        return thread(0);
    if (has_completed(state->reference))
        WEAK_CHECK(state->result == 1);
}

void after() {
    for (const auto &successor : state->successors)
        WEAK_CHECK(successor.runs == 1);
}

void after_asking() { WEAK_CHECK(has_completed(state->reference)); }

constexpr Scenario kScenarios[] = {
    {"reuse", 3, before, thread, after, Search::random, 60000},
    {"ask", 2, before, ask, after_asking, Search::bound, 3},
};

} // namespace
const std::span<const Scenario> scenarios = kScenarios;
} // namespace loomp::weak
