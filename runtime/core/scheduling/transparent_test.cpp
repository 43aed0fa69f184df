// Dependences across generations: random trees of transparent and weak tasks against the order in
// which a sequential program would access each location.
#include "runtime/core/scheduling/transparent.h"

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/pause.h"
#include "runtime/core/scheduling/resume.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "tests/unit/clauses.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

using test::on;

template <class F>
void spawn_nested(F body, const std::vector<Dependence> &dependences, bool weak) {
    Task &task = test::make_task(std::move(body), kTied | kTransparent | (weak ? kWeak : 0u));
    spawn_transparent(task, dependences.data(), dependences.size());
}

// --- Order -----------------------------------------------------------------------------------

constexpr std::size_t kLocations = 4;
int memory[kLocations];

/// A task of a random tree. A leaf accesses what it names; an inner task that is weak only creates.
struct Node {
    order::Clause clause;
    std::vector<std::unique_ptr<Node>> children;
    bool weak = false;
    bool nested = false;
    bool waits = false; ///< a taskwait in the middle of its children
    order::Run run;     ///< the run of its own code

    /// How its code accesses a location. One lock guards a whole set of mutexinoutset only within
    /// one map, which children of such a task are not in.
    order::Kind access(std::size_t location) const {
        const order::Kind kind = clause.of(location);
        return nested && kind == order::Kind::mutexinoutset ? order::Kind::inout : kind;
    }
    /// Returns what it and those in it may name, at most.
    order::Clause allowed() const {
        order::Clause names;
        for (std::size_t at = 0; at < kLocations; ++at)
            if (access(at) != order::Kind::none)
                names.add({at, access(at)});
        return names;
    }
};

/// The tasks whose own code accesses one location, in sequential order.
using Order = std::array<std::vector<const Node *>, kLocations>;

std::unique_ptr<Node> random_tree(std::mt19937 &random, const Node *parent, int depth) {
    using order::Kind;
    constexpr Kind kKinds[] = {Kind::in,    Kind::in,    Kind::inoutset,
                               Kind::inout, Kind::inout, Kind::mutexinoutset};
    const order::Choices choices{.locations = kLocations, .kinds = kKinds, .most_items = 2};
    auto node = std::make_unique<Node>();
    node->clause = order::draw(choices, [&random](std::size_t n) { return random() % n; });
    if (parent != nullptr)
        node->clause = order::narrowed(node->clause, parent->allowed());
    if (depth > 0 && !node->clause.empty() && random() % 3 != 0) {
        node->nested = true;
        node->weak = random() % 3 != 0;
        node->waits = random() % 4 == 0;
        for (unsigned n = random() % 6; n > 0; --n)
            node->children.push_back(random_tree(random, node.get(), depth - 1));
    }
    return node;
}

void note_order(const Node &node, Order &order) {
    if (!node.weak)
        for (std::size_t at = 0; at < kLocations; ++at)
            if (node.access(at) != order::Kind::none)
                order[at].push_back(&node);
    for (const auto &child : node.children)
        note_order(*child, order);
}

void create(Node &node, order::Run::Clock &clock);

void run(Node &node, order::Run::Clock &clock) {
    for (int steps = node.run.begin(clock) % 40; steps > 0; --steps)
        cpu_relax();
    const int ended = node.run.end(clock);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        create(*node.children[i], clock);
        if (node.waits && i == node.children.size() / 2)
            taskwait();
    }
    if (ended % 5 == 0)
        taskyield();
}

void create(Node &node, order::Run::Clock &clock) {
    const auto body = [&node, &clock] { run(node, clock); };
    const std::vector<Dependence> clause = test::dependences(node.clause, memory);
    if (node.nested)
        spawn_nested(body, clause, node.weak);
    else if (!clause.empty())
        test::spawn_task(body, clause);
    else
        test::spawn_task(body);
}

bool is_ancestor(const Node &above, const Node &below) {
    if (&above == &below)
        return true;
    return std::any_of(above.children.begin(), above.children.end(),
                       [&](const auto &child) { return is_ancestor(*child, below); });
}

TEST(Nested, RandomTreesKeepTheOrderOfEveryLocation) {
    std::mt19937 random(20241130);
    for (int round = 0; round < 400; ++round) {
        std::vector<std::unique_ptr<Node>> roots;
        for (unsigned n = 2 + random() % 10; n > 0; --n)
            roots.push_back(random_tree(random, nullptr, 3));
        Order order;
        for (const auto &root : roots)
            note_order(*root, order);
        order::Run::Clock clock{1};
        test::in_single(1 + round % 4, [&] {
            for (auto &root : roots)
                create(*root, clock);
        });
        for (std::size_t at = 0; at < kLocations; ++at)
            for (std::size_t j = 0; j < order[at].size(); ++j) {
                const Node &b = *order[at][j];
                ASSERT_TRUE(b.run.has_run()) << "round " << round;
                for (std::size_t i = 0; i < j; ++i) {
                    const Node &a = *order[at][i];
                    const order::Relation due = order::relation(a.access(at), b.access(at));
                    // A task's code before it creates a child precedes the child's anyway. Tasks
                    // that exclude each other may have different creators, and different locks.
                    if (due == order::Relation::ordered && !is_ancestor(a, b)) {
                        ASSERT_TRUE(order::holds(due, a.run, b.run))
                            << "round " << round << ": " << i << ", " << j;
                    }
                }
            }
    }
}

// --- Tasks that may overlap ------------------------------------------------------------------

/// A later task waits for the children that touch its location, not for the other ones.
TEST(Nested, SiblingsDoNotWaitForUnrelatedChildren) {
    int x = 0, y = 0;
    for (const bool weak : {false, true}) {
        Atomic<bool> go_on{false}, seen{false}, x_done{false};
        test::in_single(2, [&] {
            spawn_nested(
                [&] {
                    test::spawn_task(
                        [&] {
                            while (!go_on)
                                taskyield();
                        },
                        {on(&y, Access::inout)});
                    test::spawn_task([&] { x_done = true; }, {on(&x, Access::inout)});
                },
                {on(&x, Access::inout), on(&y, Access::inout)}, weak);
            test::spawn_task(
                [&] {
                    seen = x_done.load();
                    go_on = true;
                },
                {on(&x, Access::in)});
            taskwait();
            EXPECT_TRUE(go_on);
        });
        EXPECT_TRUE(seen);
    }
}

/// A weak task creates its children while its predecessor runs; they wait.
TEST(Nested, AWeakTaskDoesNotWait) {
    int x = 0;
    Atomic<int> created{0}, value{0};
    test::in_single(2, [&] {
        test::spawn_task(
            [&] {
                while (created == 0)
                    taskyield();
                value = 1;
            },
            {on(&x, Access::inout)});
        spawn_nested(
            [&] {
                test::spawn_task([&] { EXPECT_EQ(value, 1); }, {on(&x, Access::in)});
                test::spawn_task([&] { value = 2; }, {on(&x, Access::inout)});
                created = 1;
            },
            {on(&x, Access::inout)}, true);
        const Dependence in = on(&x, Access::in);
        wait_dependences(&in, 1);
        EXPECT_EQ(value, 2);
    });
}

/// A task that waited for its children computes on. The child of one of them, which is weak, waited
/// for another one. It is not left where only the task's own thread would find it.
TEST(Nested, ASuccessorIsSeenWhileTheTaskContinues) {
    const test::AllTasksQueued queued;
    int x = 0;
    Atomic<bool> begun{false}, waited{false}, ran{false};
    test::in_single(2, [&] {
        test::spawn_task(
            [&] {
                begun = true;
                while (!waited)
                    cpu_relax();
            },
            {});
        while (!begun)
            cpu_relax();
        test::spawn_task(
            [&] {
                test::spawn_task([] {}, {on(&x, Access::inout)});
                spawn_nested(
                    [&] { test::spawn_task([&] { ran = true; }, {on(&x, Access::inout)}); },
                    {on(&x, Access::inout)}, true);
                taskwait();
                waited = true;
                for (int i = 0; i < 10'000 && !ran; ++i)
                    pause_for(1'000'000);
                EXPECT_TRUE(ran);
            },
            {});
    });
}

/// A weak task whose children do not touch the location still orders its neighbours.
TEST(Nested, AnUntouchedLocationStaysInOrder) {
    int x = 0;
    Atomic<int> step{0};
    for (int threads = 1; threads < 4; ++threads) {
        step = 0;
        test::in_single(threads, [&] {
            for (int i = 0; i < 50; ++i) {
                test::spawn_task([&step, i] { EXPECT_EQ(step++, i); }, {on(&x, Access::inout)});
                for (int k = 0; k < 3; ++k)
                    spawn_nested([] {}, {on(&x, k == 1 ? Access::in : Access::inout)}, true);
            }
        });
        EXPECT_EQ(step, 50);
    }
}

TEST(Nested, AllMemory) {
    static std::array<int, 8> x;
    for (int threads = 1; threads < 4; ++threads)
        for (const bool weak : {false, true}) {
            Atomic<int> before{0}, inside{0};
            test::in_single(threads, [&] {
                for (int &element : x)
                    test::spawn_task([&] { ++before; }, {on(&element, Access::inout)});
                spawn_nested(
                    [&] {
                        for (int &element : x)
                            test::spawn_task(
                                [&] {
                                    EXPECT_EQ(before, 8);
                                    ++inside;
                                },
                                {on(&element, Access::inoutset)});
                    },
                    {{nullptr, Access::inout, true}, on(&x[0], Access::in)}, weak);
                for (int &element : x)
                    test::spawn_task([&] { EXPECT_EQ(inside, 8); }, {on(&element, Access::in)});
            });
        }
}

/// Neither a taskwait nor a wait for a taskgroup's tasks forgets or adds anything.
TEST(Nested, WaitsMeanWhatTheySay) {
    int x = 0;
    for (int threads = 1; threads < 4; ++threads)
        test::in_single(threads, [&] {
            Atomic<int> done{0};
            begin_taskgroup();
            for (int i = 0; i < 20; ++i)
                spawn_nested(
                    [&] {
                        for (int k = 0; k < 5; ++k)
                            test::spawn_task([&] { ++done; }, {on(&x, Access::inoutset)});
                        if (done % 2 == 0)
                            taskwait();
                    },
                    {on(&x, Access::inoutset)}, i % 2 == 0);
            end_taskgroup();
            EXPECT_EQ(done, 100);
        });
}

/// A weak task begins where it is created. If it then waits in a taskgroup of its own, its creator
/// enters its accesses meanwhile: they do not belong to that group.
TEST(Nested, AWeakTaskMayWaitInAGroupOfItsOwn) {
    int x = 0;
    test::in_single(1, [&] {
        bool begun = false, done = false;
        Suspension wait;
        begin_taskgroup();
        spawn_nested(
            [&] {
                begin_taskgroup();
                begun = true;
                suspend(wait, [](void *) { return true; }, nullptr);
                end_taskgroup();
                test::spawn_task([&] { done = true; }, {on(&x, Access::inout)});
            },
            {on(&x, Access::inout)}, true);
        while (!begun)
            taskyield();
        make_resumable(wait);
        end_taskgroup();
        EXPECT_TRUE(done);
    });
}

} // namespace
} // namespace loomp::core
