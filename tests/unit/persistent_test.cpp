// Persistent graphs: the planned edges, and the order of repeated random graphs against the rules
// of OpenMP 5.2, 15.9.5 applied to every pair of tasks, within an iteration and from one to the
// next.
#include "core/persistent.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/graph_builder.h"
#include "support.h"

namespace loomp::core {
namespace {

using test::on;

/// What a front end does for a task whose private data are `body`; `code` names the construct.
template <class F>
void create(F body, const std::vector<Dependence> &dependences, const void *code) {
    Worker &worker = *Worker::current();
    Task &task = *allocate_child(worker, *worker.task, sizeof(F), kTied, {code, kNoSelf});
    new (task.payload()) F(std::move(body));
    task.invoke = [](Task &self) { (*static_cast<F *>(self.payload()))(); };
    if (task.parent->has(kPersistent) || task.has(kKept))
        spawn_kept(task, dependences.data(), dependences.size());
    else
        spawn(task, dependences.data(), dependences.size());
}

struct Planned {
    std::size_t inside = 0, crossing = 0, joins = 0;
};
Planned plan(const std::vector<std::vector<Dependence>> &clauses) {
    std::vector<GraphTask> tasks;
    std::vector<Dependence> all;
    for (const auto &clause : clauses) {
        tasks.push_back(
            {static_cast<std::uint32_t>(all.size()), static_cast<std::uint32_t>(clause.size())});
        all.insert(all.end(), clause.begin(), clause.end());
    }
    const GraphPlan plan = plan_graph(tasks, all, true);
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
    // A reader that comes before the writer follows the writer of the iteration before.
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

constexpr int kAddresses = 5;
constexpr int kIterations = 8;

struct Step {
    std::array<Access, kAddresses> access{}; ///< strongest of the task
    bool all = false;
    std::vector<Dependence> clause;
    std::array<std::atomic<int>, kIterations> start{};
    std::array<std::atomic<int>, kIterations> end{};
    std::atomic<int> runs{0};
};

bool ordered(const Step &a, const Step &b) {
    if ((a.all && !b.clause.empty()) || (b.all && !a.clause.empty()))
        return true;
    for (std::size_t i = 0; i < kAddresses; ++i) {
        const Access x = a.access[i], y = b.access[i];
        if (x != Access::none && y != Access::none && (x != y || x == Access::inout))
            return true;
    }
    return false;
}

int memory[kAddresses];
const char code[64] = {};

std::vector<std::unique_ptr<Step>> random_steps(std::mt19937 &random) {
    std::vector<std::unique_ptr<Step>> steps;
    for (std::size_t i = 0, count = 1 + random() % 40; i < count; ++i) {
        auto step = std::make_unique<Step>();
        if (random() % 25 == 0) {
            step->all = true;
            step->clause.push_back({nullptr, Access::inout, true});
        }
        for (unsigned n = step->all ? 0 : random() % 4; n > 0; --n) {
            const std::size_t at = random() % kAddresses;
            constexpr Access kinds[] = {Access::in, Access::inoutset, Access::inout};
            const Access access = kinds[random() % 3];
            step->access[at] = std::max(step->access[at], access);
            step->clause.push_back(on(&memory[at], access));
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

/// Every pair in the same iteration, and all pairs of consecutive ones.
void expect_order(const std::vector<std::unique_ptr<Step>> &steps) {
    for (std::size_t n = 0; n < kIterations; ++n)
        for (std::size_t j = 0; j < steps.size(); ++j) {
            ASSERT_NE(steps[j]->end[n], 0) << n << ": " << j << " has not run";
            for (std::size_t i = 0; i < steps.size(); ++i) {
                if (!ordered(*steps[i], *steps[j]))
                    continue;
                if (i < j) {
                    ASSERT_LT(steps[i]->end[n], steps[j]->start[n]) << n << ": " << i << "," << j;
                }
                if (n > 0) {
                    ASSERT_LT(steps[i]->end[n - 1], steps[j]->start[n])
                        << n << ": " << i << " before, " << j;
                }
            }
        }
}

/// Runs the steps kIterations times.
void repeat(const std::vector<std::unique_ptr<Step>> &steps, unsigned flags, int threads,
            const char *where) {
    std::atomic<int> clock{1};
    test::in_single(threads, [&] {
        for (int n = 0; n < kIterations; ++n) {
            if (!begin_iteration(where, flags))
                continue;
            for (std::size_t i = 0; i < steps.size(); ++i) {
                Step *s = steps[i].get();
                create(
                    [s, &clock] {
                        const auto at = static_cast<std::size_t>(s->runs.fetch_add(1));
                        s->start[at] = clock++;
                        if (s->start[at] % 7 == 0)
                            taskyield();
                        for (int k = 0; k < s->start[at] % 50; ++k)
                            cpu_relax();
                        if (s->start[at] % 11 == 0)
                            test::spawn_task([] { cpu_relax(); });
                        s->end[at] = clock++;
                    },
                    s->clause, &code[i]);
            }
            end_iteration();
        }
        // The rest is the join's.
    });
}

TEST(Persistent, RandomGraphsKeepEveryOrder) {
    const test::AllTasksQueued queued;
    std::mt19937 random(20240917);
    for (int round = 0; round < 240; ++round) {
        const auto steps = random_steps(random);
        const unsigned flags = static_cast<unsigned>(round) % 8;
        static std::deque<std::string> places; // their addresses tell them apart
        const std::string &where = places.emplace_back("round " + std::to_string(round));
        repeat(steps, flags, 1 + round / 8 % 4, where.c_str());
        expect_order(steps);
        if (HasFatalFailure())
            FAIL() << "round " << round << ", flags " << flags;
    }
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

TEST(Persistent, AProducerMayEndWhileItsGraphRuns) {
    const test::AllTasksQueued queued;
    std::atomic<int> done{0};
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
