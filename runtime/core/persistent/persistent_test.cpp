// Persistent graphs: the planned edges, and the order of repeated random graphs. The rules of
// OpenMP 5.2, 15.9.5 are checked for every pair of tasks, within an iteration and from one to the
// next.
#include "runtime/core/persistent/persistent.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/dependences/graph_builder.h"
#include "runtime/core/memory/task_budget.h"
#include "runtime/core/persistent/persistent_graph.h"
#include "runtime/core/scheduling/next_task.h"
#include "runtime/core/scheduling/sending_kinds.h"
#include "tests/unit/clauses.h"
#include "tests/unit/creation.h"
#include "tests/unit/preset.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

using test::create;
using test::on;

struct Planned {
    std::size_t inside = 0, crossing = 0, joins = 0;
};
Planned plan(const std::vector<std::vector<Dependence>> &clauses) {
    std::vector<std::uint32_t> first = {0};
    KeptDependences all;
    for (const auto &clause : clauses) {
        all.append(clause.data(), clause.size());
        first.push_back(static_cast<std::uint32_t>(all.size()));
    }
    const GraphPlan plan = plan_graph(first, all, true);
    Planned counts;
    for (const GraphEdge &edge : plan.edges)
        ++(edge.crosses ? counts.crossing : counts.inside);
    counts.joins = plan.nodes - plan.tasks;
    return counts;
}

TEST(GraphPlan, EdgesWithinAndBetweenIterations) {
    int x = 0, y = 0;
    const Planned chain = plan({{on(&x, Access::inout)}, {on(&x, Access::inout)}});
    EXPECT_EQ(chain.inside, 1u);
    EXPECT_EQ(chain.crossing, 1u); // from the last to the first
    const Planned one = plan({{on(&x, Access::inout)}});
    EXPECT_EQ(one.crossing, 1u); // to itself
    const Planned readers = plan({{on(&x, Access::in)}, {on(&x, Access::in)}});
    EXPECT_EQ(readers.inside + readers.crossing, 0u);
    const Planned twice = plan(
        {{on(&x, Access::inout), on(&y, Access::inout)}, {on(&x, Access::in), on(&y, Access::in)}});
    EXPECT_EQ(twice.inside, 1u);
    EXPECT_EQ(twice.crossing, 1u);
    // A reader before the writer follows the writer of the previous iteration.
    const Planned early = plan({{on(&x, Access::in)}, {on(&x, Access::inout)}});
    EXPECT_EQ(early.inside, 1u);
    EXPECT_EQ(early.crossing, 1u);
}

TEST(GraphPlan, SetsMeetInOneNode) {
    int x = 0;
    std::vector<std::vector<Dependence>> clauses;
    for (int i = 0; i < 40; ++i)
        clauses.push_back({on(&x, i < 20 ? Access::inoutset : Access::in)});
    const Planned planned = plan(clauses);
    EXPECT_EQ(planned.joins, 2u); // within the iteration, and before the next one's writers
    EXPECT_EQ(planned.inside + planned.crossing, 80u);
}

constexpr std::size_t kLocations = 5;
constexpr int kIterations = 8;

struct Step {
    order::Clause clause;
    std::array<order::Run, kIterations> runs;
    Atomic<int> runs_begun{0};
    int born = 0; ///< the first iteration that contains it
};
using Steps = std::vector<std::unique_ptr<Step>>;

int memory[kLocations];
const char code[64] = {};

Steps random_steps(std::mt19937 &random) {
    // Kept graphs support no exclusion.
    constexpr order::Kind kKinds[] = {order::Kind::in, order::Kind::inoutset, order::Kind::inout};
    const order::Choices choices{
        .locations = kLocations, .kinds = kKinds, .fewest_items = 0, .one_in_all_memory = 25};
    const auto below = [&random](std::size_t n) { return random() % n; };
    Steps steps(1 + below(40));
    for (auto &step : steps) {
        step = std::make_unique<Step>();
        step->clause = order::draw(choices, below);
    }
    return steps;
}

/// Checks every pair in the same iteration, and all pairs of consecutive ones: two iterations are
/// tasks in the order of their creation.
void expect_order(const Steps &steps) {
    struct Created {
        const Step *step;
        std::size_t iteration;
    };
    std::vector<Created> before;
    for (std::size_t n = 0; n < kIterations; ++n) {
        std::vector<Created> now;
        for (const auto &step : steps)
            if (n >= static_cast<std::size_t>(step->born))
                now.push_back({step.get(), n});
        std::vector<Created> tasks = before;
        tasks.insert(tasks.end(), now.begin(), now.end());
        const order::Violation wrong = order::find_violation(
            tasks.size(),
            [&](std::size_t i) -> const order::Clause & { return tasks[i].step->clause; },
            [&](std::size_t i) -> const order::Run & {
                return tasks[i].step->runs[tasks[i].iteration];
            },
            before.size());
        ASSERT_FALSE(wrong.found) << wrong.first << ", " << wrong.second << " of iteration " << n
                                  << ", with the " << before.size() << " tasks before it";
        before = std::move(now);
    }
}

/// Creates the existing steps among `first` to `last` in iteration n.
void create_steps(const Steps &steps, std::size_t first, std::size_t last, int n,
                  order::Run::Clock &clock) {
    for (std::size_t i = first; i < last; ++i) {
        Step *s = steps[i].get();
        if (n < s->born)
            continue;
        create(
            [s, &clock] {
                order::Run &run = s->runs[static_cast<std::size_t>(s->born + s->runs_begun++)];
                test::spend_time(run, clock);
                if (run.begun() % 11 == 0)
                    test::spawn_task([] { cpu_relax(); });
                run.end(clock);
            },
            test::dependences(s->clause, memory), &code[i]);
    }
}

/// Creates a task that names everything, and only creates others.
template <class F> void create_weak(F body, const char *which) {
    ask_of_next_task().flags = kTransparent | kWeak;
    create(body, {{nullptr, Access::inout, /*all_memory=*/true}}, which);
}

/// Creates the steps by weak tasks: one for each third, and in it one for its second half.
void create_by_weak_tasks(const Steps &steps, std::size_t first, std::size_t last, int n,
                          order::Run::Clock &clock) {
    const std::size_t part = (last - first + 2) / 3;
    for (std::size_t i = first; i < last; i += part) {
        const std::size_t end = std::min(last, i + part);
        const std::size_t half = (i + end) / 2;
        create_weak(
            [=, &steps, &clock] {
                create_steps(steps, i, half, n, clock);
                create_weak([=, &steps, &clock] { create_steps(steps, half, end, n, clock); },
                            &code[62]);
            },
            &code[63]);
    }
}

/// Runs the steps kIterations times.
void repeat(const Steps &steps, unsigned flags, int threads, const char *where,
            decltype(create_steps) &create_all = create_steps) {
    order::Run::Clock clock{1};
    test::in_single(threads, [&] {
        for (int n = 0; n < kIterations; ++n) {
            if (!begin_iteration(where, flags))
                continue;
            create_all(steps, 0, steps.size(), n, clock);
            end_iteration();
        }
        // The region's join waits for the rest.
    });
}

TEST(Persistent, RandomGraphsKeepEveryOrder) {
    const test::AllTasksQueued queued;
    std::mt19937 random(20240917);
    for (int round = 0; round < 240; ++round) {
        const auto steps = random_steps(random);
        const unsigned flags = static_cast<unsigned>(round) % 8;
        static std::deque<std::string> places; // the addresses distinguish them
        const std::string &where = places.emplace_back("round " + std::to_string(round));
        repeat(steps, flags, 1 + round / 8 % 4, where.c_str());
        expect_order(steps);
        if (HasFatalFailure())
            FAIL() << "round " << round << ", flags " << flags;
    }
}

TEST(Persistent, DeviatingIterationsKeepEveryOrder) {
    const test::AllTasksQueued queued;
    std::mt19937 random(20261123);
    for (int round = 0; round < 120; ++round) {
        const auto steps = random_steps(random);
        for (const auto &step : steps)
            step->born = random() % 3 == 0 ? static_cast<int>(random() % kIterations) : 0;
        const unsigned flags = static_cast<unsigned>(round) % 4 * kNoBarrier; // and kCheck
        static std::deque<std::string> places;
        const std::string &where = places.emplace_back("deviating " + std::to_string(round));
        repeat(steps, flags, 1 + round / 4 % 4, where.c_str());
        expect_order(steps);
        if (HasFatalFailure())
            FAIL() << "round " << round << ", flags " << flags;
    }
}

/// Replayed without barriers: an empty node may be ready again while the thread that finished it
/// last is still in it.
TEST(Persistent, ReplayedGraphsKeepEveryOrder) {
    const test::AllTasksQueued queued;
    std::mt19937 random(20261125);
    for (int round = 0; round < 160; ++round) {
        const auto steps = random_steps(random);
        static std::deque<std::string> places;
        const std::string &where = places.emplace_back("replayed " + std::to_string(round));
        repeat(steps, kReplay | kNoBarrier, 1 + round % 4, where.c_str());
        expect_order(steps);
        if (HasFatalFailure())
            FAIL() << "round " << round;
    }
}

TEST(Persistent, TasksOfWeakTasksKeepEveryOrder) {
    const test::AllTasksQueued queued;
    std::mt19937 random(20261124);
    for (int round = 0; round < 160; ++round) {
        const auto steps = random_steps(random);
        const unsigned flags = static_cast<unsigned>(round) % 8;
        static std::deque<std::string> places;
        const std::string &where = places.emplace_back("weak " + std::to_string(round));
        repeat(steps, flags, 1 + round / 8 % 4, where.c_str(), create_by_weak_tasks);
        expect_order(steps);
        if (HasFatalFailure())
            FAIL() << "round " << round << ", flags " << flags;
    }
}

TEST(Persistent, TasksOfWeakTasksAreUsedAgain) {
    const test::AllTasksQueued queued;
    test::in_single(2, [&] {
        int x = 0, weak = 0;
        const DiscoveryStats before = Worker::current()->discovery;
        for (int n = 0; n < 10; ++n)
            if (begin_iteration("weak again", 0)) {
                ask_of_next_task().flags = kTransparent | kWeak;
                create(
                    [&x, &weak] {
                        ++weak;
                        for (int i = 0; i < 20; ++i)
                            create([&x] { ++x; }, {on(&x, Access::inout)}, code);
                    },
                    {on(&x, Access::inout)}, &code[1]);
                end_iteration();
            }
        EXPECT_EQ(x, 200);
        EXPECT_EQ(weak, 10);
        const DiscoveryStats &after = Worker::current()->discovery;
        EXPECT_EQ(after.iterations_reexecuted - before.iterations_reexecuted, 9u);
        EXPECT_EQ(after.tasks - before.tasks, 210u);
        EXPECT_LE(after.edges_made - before.edges_made, 19u);
        free_graph("weak again");
    });
}

/// The creator does not take in such a weak task, so the iteration runs normally.
TEST(PersistentGraphs, FinalWeakTasksAreNotTakenIn) {
    const test::AllTasksQueued queued;
    test::in_single(2, [&] {
        int x = 0;
        for (int n = 0; n < 5; ++n)
            if (begin_iteration("final weak", kReplay)) {
                create([&x] { ++x; }, {on(&x, Access::inout)}, code);
                ask_of_next_task().flags = kTransparent | kWeak | kFinal | kRunsChildrenInline;
                create([&x] { create([&x] { ++x; }, {on(&x, Access::inout)}, code); },
                       {on(&x, Access::inout)}, &code[1]);
                create([&x, n] { EXPECT_EQ(x++, 3 * n + 2); }, {on(&x, Access::inout)}, &code[2]);
                end_iteration();
            }
        EXPECT_EQ(x, 15);
        free_graph("final weak");
    });
}

/// A transparent task keeps no graph, so its calls forget none of what it waits for.
TEST(PersistentGraphs, CallsInAWeakTaskKeepWhatItNames) {
    const test::AllTasksQueued queued;
    Atomic<int> x{0}; // the weak task's child may end with the region
    test::in_single(2, [&] {
        create(
            [&x] {
                for (int i = 0; i < 100; ++i) // gives the next task time to overtake
                    taskyield();
                x.store(1, std::memory_order_relaxed);
            },
            {on(&x, Access::inout)}, code);
        ask_of_next_task().flags = kTransparent | kWeak;
        create(
            [&x] {
                if (begin_iteration("in a weak task", 0)) {
                    create([] {}, {}, &code[1]);
                    end_iteration();
                }
                free_graph("in a weak task");
                create([&x] { EXPECT_EQ(x.load(std::memory_order_relaxed), 1); },
                       {on(&x, Access::inout)}, &code[2]);
            },
            {on(&x, Access::inout)}, &code[3]);
        complete_children();
    });
}

TEST(Persistent, KeptTasksAreUsedAgain) {
    const test::AllTasksQueued queued;
    test::in_single(2, [&] {
        int x = 0;
        const DiscoveryStats before = Worker::current()->discovery;
        for (int n = 0; n < 10; ++n)
            if (begin_iteration("again", 0)) {
                for (int i = 0; i < 20; ++i)
                    create([&x] { ++x; }, {on(&x, Access::inout)}, code);
                end_iteration();
            }
        EXPECT_EQ(x, 200);
        const DiscoveryStats &after = Worker::current()->discovery;
        EXPECT_EQ(after.iterations_reexecuted - before.iterations_reexecuted, 9u);
        EXPECT_EQ(after.tasks - before.tasks, 200u);
        EXPECT_LE(after.edges_made - before.edges_made, 19u);
        free_graph("again");
    });
}

TEST(PersistentGraphs, ChildrenOfTransparentTasksComeBeforeTheNextIteration) {
    const test::AllTasksQueued queued;
    constexpr unsigned ways[] = {0, kNoBarrier};
    for (const unsigned flags : ways) {
        SCOPED_TRACE(flags);
        Atomic<int> x{0};
        Atomic<int> wrong{0};
        const auto step = [&](int n) {
            for (int i = 0; i < 100; ++i) // gives the next task time to overtake
                taskyield();
            wrong += x.exchange(n) != n - 1 ? 1 : 0;
        };
        test::in_single(2, [&] {
            for (int n = 0; n < 50; ++n)
                if (begin_iteration("transparent", flags)) {
                    const auto body = [&step, &x, n] {
                        create([&step, n] { step(n + 1); }, {on(&x, Access::inout)}, &code[0]);
                    };
                    ask_of_next_task().flags = kTransparent;
                    create(body, {on(&x, Access::inout)}, &code[1]);
                    end_iteration();
                }
            free_graph("transparent");
        });
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(x, 50);
    }
}

// --- Found automatically: stretches of more tasks than are recorded before one is known to repeat
// -

/// The repetitions that loomp found in iterations of some tasks. Task `i` of iteration `n` depends
/// on the address with number `vary(n, i)`, modulo 64.
struct Observed {
    std::uint64_t found;
    std::uint64_t repeated;
    std::size_t bytes; ///< by which the counted memory grew in the last iteration
};

template <class Vary> Observed observe(int iterations, std::uint32_t tasks, Vary vary) {
    const test::AllTasksQueued queued;
    static int data[64];
    Observed observed = {};
    persists_automatically = true;
    test::in_single(1, [&] {
        test::spawn_task([&] {
            const DiscoveryStats before = Worker::current()->discovery;
            create([] {}, {on(&data[0], Access::inout)}, &code[0]);
            taskwait(); // it is observed from here on
            for (int n = 0; n < iterations; ++n) {
                const std::size_t bytes = reserved_for_tasks();
                for (std::uint32_t i = 0; i < tasks; ++i) {
                    create([] {}, {on(&data[vary(n, i) % 64], Access::inout)}, &code[0]);
                    if (i % 100 == 99) // the tasks themselves take no more memory
                        while (taskyield())
                            ;
                }
                observed.bytes = reserved_for_tasks() - bytes;
                taskwait();
            }
            const DiscoveryStats &after = Worker::current()->discovery;
            observed.found = after.graphs_found - before.graphs_found;
            observed.repeated = after.iterations_reexecuted - before.iterations_reexecuted;
        });
    });
    persists_automatically = false;
    return observed;
}

TEST(AutomaticGraphs, AreFoundWhateverTheirSize) {
    for (const std::uint32_t tasks : {1u, 1023u, 1024u, 1088u, 1089u, 2048u, 2112u, 5000u}) {
        SCOPED_TRACE(tasks);
        const Observed same =
            observe(6, tasks, [](int, std::uint32_t i) { return i * 2654435761u >> 16; });
        EXPECT_EQ(same.found, 1u);
        EXPECT_EQ(same.repeated, 4u);
        // Only every second one is the same: the last task of the others has other dependences.
        const Observed second = observe(9, tasks, [&](int n, std::uint32_t i) {
            return i / 7 + (i + 1 == tasks && n % 2 == 1 ? static_cast<std::uint32_t>(n) : 0);
        });
        EXPECT_EQ(second.found, 1u);
        EXPECT_EQ(second.repeated, 3u);
    }
}

TEST(AutomaticGraphs, NothingIsKeptWhereNothingRepeats) {
    std::uint32_t random = 1;
    const Observed observed = observe(3, 20'000, [&](int, std::uint32_t) {
        random = random * 1103515245u + 12345u;
        return random >> 16;
    });
    EXPECT_EQ(observed.found, 0u);
    EXPECT_LT(observed.bytes, std::size_t{1} << 20);
}

TEST(AutomaticGraphs, WhatIsKeptCounts) {
    const std::size_t before = reserved_for_tasks();
    std::size_t during = 0;
    const Observed observed = observe(6, 5000, [&](int, std::uint32_t i) {
        during = std::max(during, reserved_for_tasks() - before);
        return i;
    });
    EXPECT_EQ(observed.found, 1u);
    EXPECT_GT(during, std::size_t{5000} * 64);
}

// --- Priorities ----------------------------------------------------------------------------------

/// Flags for order_of_last(): iterations are found automatically.
constexpr unsigned kFound = 1u << 8;

/// Returns the order, on one thread, of the last of several iterations. Each has three plain tasks
/// (P), a send (S) after two tasks (T, B), and one after one (B), created in this order.
std::string order_of_last(PriorityPreset preset, unsigned flags, const char *where) {
    test::use_preset(preset);
    const test::AllTasksQueued queued;
    std::string order;
    int data[5] = {};
    std::uint64_t kept = 0;
    persists_automatically = flags == kFound;
    // The producer is a separate task, because the implicit one has graphs of other tests.
    const auto producer = [&] {
        const auto iteration = [&] {
            order.clear();
            const auto add = [&](char name, int at, std::size_t which) {
                create([&order, name] { order += name; }, {on(&data[at], Access::inout)},
                       &code[which]);
            };
            const auto add_send = [&](int at, std::size_t which) {
                create(
                    [&order] {
                        order += 'S';
                        note_send();
                    },
                    {on(&data[at], Access::inout)}, &code[which], 1);
            };
            for (std::size_t i = 0; i < 3; ++i)
                add('P', static_cast<int>(i), i);
            add('T', 3, 3);
            add('B', 3, 4);
            add_send(3, 5);
            add('B', 4, 6);
            add_send(4, 7);
        };
        const DiscoveryStats before = Worker::current()->discovery;
        for (int n = 0; n < 6; ++n) {
            if (flags == kFound) {
                iteration();
                taskwait();
            } else if (begin_iteration(where, flags)) {
                iteration();
                end_iteration();
            } else if (n < 5) {
                order.clear();
            }
        }
        const DiscoveryStats &after = Worker::current()->discovery;
        kept = after.iterations_reexecuted + after.iterations_replayed -
               before.iterations_reexecuted - before.iterations_replayed;
    };
    test::in_single(1, [&producer] { test::spawn_task(producer); });
    EXPECT_GE(kept, flags == kFound ? 3u : 5u);
    persists_automatically = false;
    test::use_preset(PriorityPreset::none);
    return order;
}

TEST(PersistentPriorities, GoToWhatPrecedesASend) {
    constexpr unsigned ways[] = {0, kCheck, kReplay, kFound};
    for (const unsigned flags : ways) {
        SCOPED_TRACE(flags);
        EXPECT_EQ(order_of_last(PriorityPreset::ma2, flags, "ma2"), "TBBSSPPP");
        EXPECT_EQ(order_of_last(PriorityPreset::sa, flags, "sa"), "BSTBSPPP");
        // Clauses do not count: sends are learned, and replayed tasks are of another kind.
        EXPECT_EQ(order_of_last(PriorityPreset::fa, flags, "fa"), "BSTBSPPP");
    }
}

TEST(PersistentPriorities, GoToTheIterationBefore) {
    const test::AllTasksQueued queued;
    constexpr unsigned ways[] = {kNoBarrier, kNoBarrier | kCheck};
    for (const unsigned flags : ways) {
        SCOPED_TRACE(flags);
        test::use_preset(PriorityPreset::sa);
        std::string order;
        int data[2] = {};
        const auto add = [&](char name, int at, std::size_t which, std::int32_t priority) {
            create([&order, name] { order += name; }, {on(&data[at], Access::inout)}, &code[which],
                   priority);
        };
        // P and U of each iteration do not precede its own send, but the next iteration's S waits
        // for U.
        test::in_single(1, [&] {
            for (int n = 0; n < 6; ++n)
                if (begin_iteration("before", flags)) {
                    add('P', 0, 0, 0);
                    add('S', 1, 1, 1);
                    add('U', 1, 2, 0);
                    end_iteration();
                }
            free_graph("before");
        });
        test::use_preset(PriorityPreset::none);
        // The first iteration is recorded; tasks are known when they are created.
        EXPECT_EQ(order.substr(3), "SUPSUPSUPSUPSUP");
    }
}

TEST(PersistentPriorities, FollowClausesThatChange) {
    test::use_preset(PriorityPreset::sa);
    const test::AllTasksQueued queued;
    std::string order;
    int data[2] = {};
    test::in_single(1, [&] {
        for (int n = 0; n < 6; ++n)
            if (begin_iteration("changes", 0)) {
                order.clear();
                for (int i = 0; i < 2; ++i) {
                    create([&order, i] { order += static_cast<char>('a' + i); },
                           {on(&data[i], Access::inout)}, &code[0]);
                    // The other task sends from the third iteration on.
                    create([] {}, {on(&data[i], Access::inout)}, &code[1], (n > 2) == (i == 1));
                }
                end_iteration();
                EXPECT_EQ(order, n > 3 ? "ba" : "ab") << n;
            }
    });
    test::use_preset(PriorityPreset::none);
}

/// A child that outlives its replayed parent accesses it twice. The word of children becomes empty
/// before the counter with which the next use waits is right. The graph is in use in between.
TEST(PersistentGraphs, AreInUseUntilTheLastTouchOfAReplayedParent) {
    const test::AllTasksQueued queued;
    Atomic<bool> is_replayed{false}, may_end{false};
    test::in_single(2, [&] {
        for (int n = 0; n < 2; ++n) {
            if (begin_iteration("outlived", kReplay | kNoBarrier)) {
                create(
                    [&] {
                        test::spawn_task([&] {
                            while (is_replayed && !may_end)
                                taskyield();
                        });
                    },
                    {on(&memory[0], Access::inout)}, &code[0]);
                end_iteration();
                complete_children();
                is_replayed = true;
            }
        }
        complete_children(); // the kept task; its child is none of these
        const Task &producer = *Worker::current()->task;
        KeptTasks &kept = *producer.map->persistent->first->kept;
        Task &parent = *kept.nodes[0].task;
        EXPECT_FALSE(kept.idle());
        const std::uint64_t word = parent.children.exchange(0);
        EXPECT_NE(word, 0u);
        EXPECT_FALSE(kept.idle());
        parent.children.store(word);
        may_end = true;
        while (!kept.idle())
            taskyield();
    });
}

TEST(Persistent, AProducerMayEndWhileItsGraphRuns) {
    const test::AllTasksQueued queued;
    Atomic<int> done{0};
    for (int round = 0; round < 50; ++round) {
        static int x;
        test::in_single(3, [&] {
            test::spawn_task([&] {
                for (int n = 0; n < 5; ++n)
                    if (begin_iteration("ends", round % 2 ? kNoBarrier : kNoBarrier | kReplay)) {
                        for (int i = 0; i < 8; ++i)
                            create([&] { ++done; }, {on(&x, i ? Access::in : Access::inout)}, code);
                        end_iteration();
                    }
            });
        });
        ASSERT_EQ(done.exchange(0), 40);
    }
}

} // namespace
} // namespace loomp::core
