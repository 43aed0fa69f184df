// Dependences: the number of edges that each kind of access makes, and the order that they enforce,
// against the rules of OpenMP 5.2, 15.9.5 applied to every pair of tasks.
#include "runtime/core/dependences/dependence_map.h"

#include <algorithm>
#include <array>
#include <random>
#include <time.h>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/creation/submission.h"
#include "tests/unit/clauses.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

using test::on;

/// With one thread that queues all tasks, none starts before its creator waits: every edge is made.
struct Counts {
    std::uint64_t made, merged, pruned, addresses, redirects;
};
template <class F> Counts count_edges(F create) {
    Counts counts{};
    const test::AllTasksQueued queued;
    test::in_single(1, [&] {
        const DiscoveryStats before = Worker::current()->discovery;
        create();
        const DiscoveryStats after = Worker::current()->discovery;
        counts = {after.edges_made - before.edges_made, after.edges_merged - before.edges_merged,
                  after.edges_pruned - before.edges_pruned,
                  after.addresses_merged - before.addresses_merged,
                  after.redirects - before.redirects};
    });
    return counts;
}

void create(int count, std::vector<Dependence> dependences) {
    for (int i = 0; i < count; ++i)
        test::spawn_task([] {}, dependences);
}

TEST(Dependence, EdgesOfEachKind) {
    int x = 0;
    const auto after = [&](Access first, int n, Access second, int m) {
        return count_edges([&] {
                   create(n, {on(&x, first)});
                   create(m, {on(&x, second)});
               })
            .made;
    };
    EXPECT_EQ(after(Access::in, 3, Access::in, 3), 0u);
    EXPECT_EQ(after(Access::inout, 1, Access::in, 3), 3u);
    EXPECT_EQ(after(Access::in, 3, Access::inout, 1), 3u);
    EXPECT_EQ(after(Access::inout, 2, Access::inout, 2), 3u);
    EXPECT_EQ(after(Access::inoutset, 3, Access::inoutset, 3), 0u);
    EXPECT_EQ(after(Access::mutexinoutset, 3, Access::mutexinoutset, 3), 0u);
    EXPECT_EQ(after(Access::inout, 1, Access::mutexinoutset, 3), 3u);
    EXPECT_EQ(after(Access::in, 2, Access::inoutset, 2), 4u);
    EXPECT_EQ(after(Access::inoutset, 2, Access::inout, 1), 2u);
}

TEST(Dependence, SetsMeetInOneNode) {
    int x = 0;
    const Counts counts = count_edges([&] {
        create(20, {on(&x, Access::inoutset)});
        create(30, {on(&x, Access::in)});
    });
    EXPECT_EQ(counts.redirects, 1u);
    EXPECT_EQ(counts.made, 50u);
}

TEST(Dependence, SecondEdgeBetweenTwoTasksIsNotMade) {
    int x = 0, y = 0, z = 0;
    const Counts counts = count_edges([&] {
        create(1, {on(&x, Access::inout), on(&y, Access::inout), on(&z, Access::inout)});
        create(1, {on(&x, Access::in), on(&y, Access::inout), on(&z, Access::in)});
    });
    EXPECT_EQ(counts.made, 1u);
    EXPECT_EQ(counts.merged, 2u);
}

TEST(Dependence, AnAddressCountsOnceWithItsStrongestAccess) {
    int x = 0;
    const Counts counts = count_edges([&] {
        create(1, {on(&x, Access::inout)});
        create(1,
               {on(&x, Access::in), on(&x, Access::in), on(&x, Access::inout), on(&x, Access::in)});
        create(2, {on(&x, Access::in)});
    });
    EXPECT_EQ(counts.addresses, 3u);
    EXPECT_EQ(counts.made, 3u);
    // And a task that is in a set of readers does not wait for itself when it joins another set.
    for (Access stronger : {Access::inoutset, Access::mutexinoutset, Access::inout})
        for (int readers = 0; readers < 8; ++readers)
            count_edges([&] {
                create(readers, {on(&x, Access::in)});
                create(1, {on(&x, Access::in), on(&x, stronger)});
                taskwait();
            });
}

TEST(Dependence, NoEdgeToACompletedTask) {
    int x = 0;
    const Counts counts = count_edges([&] {
        create(3, {on(&x, Access::in)});
        taskwait();
        create(1, {on(&x, Access::inout)});
        taskwait();
        create(1, {on(&x, Access::in)});
    });
    EXPECT_EQ(counts.made, 0u);
    EXPECT_GE(counts.pruned, 1u);
}

TEST(Dependence, AllMemory) {
    std::array<int, 10> x{};
    const Counts counts = count_edges([&] {
        for (int &element : x)
            create(1, {on(&element, Access::inout)});
        create(1, {{nullptr, Access::inout, true}});
        for (int &element : x)
            create(1, {on(&element, Access::in)});
    });
    EXPECT_EQ(counts.made, 20u);
}

// --- Order ---------------------------------------------------------------------------------------

TEST(Dependence, LongChainsOfEmptyNodesFitOnAnyStack) {
    int x = 0;
    bool last = false;
    Suspension *waiting = nullptr;
    test::in_single(1, [&] {
        test::spawn_task(
            [&] {
                Suspension self;
                waiting = &self;
                suspend(self, [](void *) { return true; }, nullptr);
            },
            {on(&x, Access::inout)});
        if (waiting == nullptr) // it was queued
            taskyield();
        const Dependence item = on(&x, Access::inout);
        for (int i = 0; i < 300000; ++i)
            submit_empty(&item, 1);
        test::spawn_task([&] { last = true; }, {item});
        make_resumable(*waiting);
        taskwait();
        EXPECT_TRUE(last);
    });
}

/// An iterator of the clause may have no items.
TEST(Dependence, AnEmptyTaskWithoutDependencesCompletes) {
    test::in_single(2, [&] {
        for (int i = 0; i < 100; ++i)
            submit_empty(nullptr, 0);
        taskwait();
    });
}

TEST(Dependence, RandomTasksKeepEveryOrder) {
    constexpr order::Kind kKinds[] = {order::Kind::in, order::Kind::inoutset,
                                      order::Kind::mutexinoutset, order::Kind::inout};
    constexpr std::size_t kLocations = 5;
    const order::Choices choices{.locations = kLocations, .kinds = kKinds, .one_in_all_memory = 25};
    static int memory[kLocations];
    std::mt19937 random(20240611);
    const auto below = [&random](std::size_t n) { return random() % n; };
    for (int round = 0; round < 150; ++round) {
        std::vector<order::Clause> clauses(1 + below(60));
        std::vector<order::Run> runs(clauses.size());
        for (order::Clause &clause : clauses)
            clause = order::draw(choices, below);
        order::Run::Clock clock{1};
        test::in_single(1 + round % 3, [&] {
            for (std::size_t i = 0; i < clauses.size(); ++i)
                test::spawn_task(
                    [&clock, run = &runs[i]] {
                        test::spend_time(*run, clock);
                        run->end(clock);
                    },
                    test::dependences(clauses[i], memory),
                    clauses[i].items().size() % 2 ? kTied : 0u);
        });
        const order::Violation wrong = order::find_violation(
            clauses.size(), [&](std::size_t i) -> const order::Clause & { return clauses[i]; },
            [&](std::size_t i) -> const order::Run & { return runs[i]; });
        ASSERT_FALSE(wrong.found) << "round " << round << ": " << wrong.first << ", "
                                  << wrong.second;
    }
}

TEST(Dependence, WaitingForSomeOnly) {
    for (int round = 0; round < 200; ++round) {
        int x = 0, y = 0;
        Atomic<int> first{0}, second{0};
        test::in_single(3, [&] {
            for (int i = 0; i < 6; ++i)
                test::spawn_task([&first] { ++first; }, {on(&x, Access::inoutset)});
            test::spawn_task([&second] { ++second; }, {on(&y, Access::inout)});
            const Dependence in = on(&x, Access::in);
            wait_dependences(&in, 1);
            EXPECT_EQ(first, 6);
            const Dependence out = on(&y, Access::mutexinoutset);
            wait_dependences(&out, 1);
            EXPECT_EQ(second, 1);
            // An empty node in between orders what follows.
            test::spawn_task([&first] { ++first; }, {on(&x, Access::inout)});
            const std::vector<Dependence> link{on(&x, Access::in), on(&y, Access::inout)};
            submit_empty(link.data(), link.size());
            test::spawn_task([&first] { EXPECT_EQ(first, 7); }, {on(&y, Access::in)});
        });
    }
}

// --- The table -----------------------------------------------------------------------------------

TEST(DependenceMap, FindsEveryAddressAgain) {
    DependenceMap map;
    for (std::uintptr_t generation = 1; generation < 5; ++generation) {
        for (std::uintptr_t i = 1; i <= 5000; ++i) {
            DependenceMap::Entry &entry = map.find(reinterpret_cast<void *>(i * 24));
            ASSERT_TRUE(entry.current.empty());
            entry.current.add({nullptr, i});
        }
        EXPECT_EQ(map.size(), 5000u);
        for (std::uintptr_t i = 1; i <= 5000; ++i)
            ASSERT_EQ(map.find(reinterpret_cast<void *>(i * 24)).current.begin()->serial, i);
        map.clear();
        EXPECT_EQ(map.size(), 0u);
    }
}

/// The table of the running task after `create`, in a region of two whose tasks are all queued.
template <class F> void look_at_table(F create) {
    const test::AllTasksQueued queued;
    test::in_single(2, [&] {
        create();
        taskwait();
    });
}

TEST(DependenceMap, IsBoundedByTheTasksThatLiveAtOnce) {
    static char memory[200000];
    for (const Access access : {Access::in, Access::inout, Access::inoutset, Access::mutexinoutset})
        look_at_table([&] {
            for (int i = 0; i < 200000; ++i) {
                test::spawn_task([] {}, {on(&memory[i], access)});
                if (i % 100 == 99) {
                    taskwait();
                    ASSERT_LE(Worker::current()->task->map->size(), 8192u);
                }
            }
        });
}

TEST(DependenceMap, UnfinishedTasksStay) {
    // Every eighth task runs until the last one, on the same address, is created: the others'
    // addresses make the table forget again and again.
    static char memory[64 * 1000];
    constexpr int kKept = 8;
    Atomic<bool> go{false};
    Atomic<int> done{0}, wrong{0};
    test::in_single(3, [&] {
        for (int i = 0; i < kKept; ++i)
            test::spawn_task(
                [&] {
                    while (!go)
                        taskyield();
                    ++done;
                },
                {on(&memory[i], Access::inout)});
        for (int i = kKept; i < 64 * 1000; ++i) {
            test::spawn_task([] {}, {on(&memory[i], Access::inout)});
            if (i % 500 == 0)
                taskyield();
        }
        for (int i = 0; i < kKept; ++i)
            test::spawn_task(
                [&] {
                    if (!go)
                        ++wrong;
                },
                {on(&memory[i], Access::inout)});
        go = true;
    });
    EXPECT_EQ(done, kKept);
    EXPECT_EQ(wrong, 0);
}

TEST(DependenceMap, GenerationsStartAgain) {
    // A generation is a number of 16 bits, and every clear and every look through takes one.
    DependenceMap map;
    std::uint64_t number = 0;
    for (int round = 0; round < 70000; ++round) {
        for (std::uintptr_t i = 1; i <= 3; ++i) {
            DependenceMap::Entry &entry = map.find(reinterpret_cast<void *>(i * 8));
            ASSERT_TRUE(entry.current.empty());
            entry.current.add({nullptr, ++number});
        }
        ASSERT_EQ(map.size(), 3u);
        map.clear();
    }
}

TEST(DependenceMap, ReadersOfOneAddressAreBounded) {
    static int x;
    look_at_table([&] {
        for (int i = 0; i < 200000; ++i) {
            test::spawn_task([] {}, {on(&x, Access::in)});
            if (i % 100 == 99) {
                taskwait();
                ASSERT_LE(Worker::current()->task->map->find(&x).current.capacity(), 256u);
            }
        }
    });
}

TEST(TaskSet, GivesBackWhatItDoesNotNeed) {
    TaskSet set;
    for (std::uint64_t i = 0; i < 1000; ++i)
        set.add({nullptr, i});
    EXPECT_GE(set.capacity(), 1000u);
    set.set({nullptr, 1});
    EXPECT_LE(set.capacity(), 16u);
    ASSERT_EQ(set.size(), 1u);
    EXPECT_EQ(set.begin()->serial, 1u);
    for (std::uint64_t i = 2; i < 100; ++i)
        set.add({nullptr, i});
    std::uint64_t expected = 1;
    for (const TaskRef &ref : set)
        EXPECT_EQ(ref.serial, expected++);
    set.clear();
    EXPECT_TRUE(set.empty());
    set.free_storage();
}

double processor_time() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TEST(DependenceMap, StridesDoNotCollide) {
    // A table that probes long would be slower by orders of magnitude for some stride.
    constexpr std::uintptr_t kCount = 20000;
    double fastest = 1e9, slowest = 0;
    std::uintptr_t worst = 0;
    for (std::uintptr_t stride = 8; stride <= (4u << 20); stride *= 2)
        for (const std::uintptr_t odd : {0u, 8u, 64u}) {
            const double begin = processor_time();
            DependenceMap map;
            for (int pass = 0; pass < 3; ++pass)
                for (std::uintptr_t i = 0; i < kCount; ++i)
                    map.find(reinterpret_cast<void *>(0x7f0000000000 + i * (stride + odd)));
            const double time = processor_time() - begin;
            fastest = std::min(fastest, time);
            if (time > slowest) {
                slowest = time;
                worst = stride + odd;
            }
        }
    EXPECT_LT(slowest, 60 * fastest)
        << "stride " << worst << " takes " << slowest / fastest << " times the best";
}

} // namespace
} // namespace loomp::core
