// mutexinoutset: members of a set never overlap, hold all their locks or none, and all run.
#include "runtime/core/dependences/exclusion.h"

#include <algorithm>
#include <memory>
#include <random>
#include <time.h>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

/// A task that is not run, with a list of locks as the creator makes it.
Task &make_exclusive(const std::vector<Exclusion *> &locks) {
    Task &task = test::make_task([] {});
    reserve_exclusions(*Worker::current(), task, locks.size());
    for (Exclusion *lock : locks)
        add_exclusion(task, *lock);
    enter_ready(task);
    return task;
}

std::vector<Task *> free_exclusions_of(Task &task) {
    std::vector<Task *> ready;
    free_exclusions(task, [&](Task &waited) { ready.push_back(&waited); });
    return ready;
}

TEST(Exclusion, ATaskIsMadeReadyForEachReleaseAndTheOldestFirst) {
    test::in_parallel(1, [&](Member &) {
        auto *lock = new Exclusion;
        std::vector<Task *> tasks;
        for (int i = 0; i < 100; ++i)
            tasks.push_back(&make_exclusive({lock}));
        EXPECT_TRUE(take_exclusions(*tasks[0]));
        for (int i = 1; i < 100; ++i)
            EXPECT_FALSE(take_exclusions(*tasks[i]));
        for (int i = 0; i < 100; ++i) {
            const std::vector<Task *> ready = free_exclusions_of(*tasks[i]);
            if (i == 99) {
                EXPECT_TRUE(ready.empty());
            } else {
                ASSERT_EQ(ready, std::vector<Task *>{tasks[i + 1]});
                EXPECT_TRUE(take_exclusions(*tasks[i + 1])) << "it was handed over";
            }
            discard_task(*tasks[i]);
        }
        EXPECT_TRUE(lock->is_unshared());
        lock->drop();
    });
}

TEST(Exclusion, WhoCannotHaveAllLeavesTheLockToOthers) {
    test::in_parallel(1, [&](Member &) {
        auto *a = new Exclusion, *b = new Exclusion;
        Task &has_a = make_exclusive({a}), &has_b = make_exclusive({b});
        Task &both = make_exclusive({b, a}), &later_a = make_exclusive({a}),
             &later_b = make_exclusive({b});
        EXPECT_TRUE(take_exclusions(has_a));
        EXPECT_TRUE(take_exclusions(has_b));
        EXPECT_FALSE(take_exclusions(both));
        EXPECT_FALSE(take_exclusions(later_a));
        EXPECT_FALSE(take_exclusions(later_b));
        // Whichever is freed first is not kept for the task that waits for the other one, too.
        EXPECT_EQ(free_exclusions_of(has_a), std::vector<Task *>{&later_a});
        EXPECT_EQ(free_exclusions_of(later_a), std::vector<Task *>{});
        EXPECT_EQ(free_exclusions_of(has_b).size(), 1u);
        Task &next = (later_b.attached->count & kExclusionsTaken) != 0 ? later_b : both;
        EXPECT_EQ(free_exclusions_of(next).size(), 1u);
        EXPECT_TRUE(free_exclusions_of(&next == &both ? later_b : both).empty());
        for (Task *task : {&has_a, &has_b, &both, &later_a, &later_b})
            discard_task(*task);
        EXPECT_TRUE(a->is_unshared() && b->is_unshared());
        a->drop();
        b->drop();
    });
}

TEST(Exclusion, SeveralLocksEach) {
    constexpr int kSets = 4;
    for (int round = 0; round < 60; ++round) {
        Atomic<int> inside[kSets] = {};
        Atomic<int> ran{0};
        static int memory[kSets];
        test::in_single(1 + round % 4, [&] {
            for (int i = 0; i < 80; ++i) {
                const int mask = 1 + (i * 7 + round) % ((1 << kSets) - 1);
                std::vector<Dependence> clause;
                for (int s = 0; s < kSets; ++s)
                    if ((mask >> s & 1) != 0)
                        clause.push_back(
                            test::on(&memory[i % 2 ? s : kSets - 1 - s], Access::mutexinoutset));
                test::spawn_task(
                    [&, mask, i] {
                        for (int s = 0; s < kSets; ++s)
                            if ((mask >> s & 1) != 0) {
                                const int at = i % 2 ? s : kSets - 1 - s;
                                EXPECT_EQ(inside[at].fetch_add(1), 0);
                            }
                        if (i % 8 == 0)
                            taskyield();
                        for (int s = 0; s < kSets; ++s)
                            if ((mask >> s & 1) != 0)
                                --inside[i % 2 ? s : kSets - 1 - s];
                        ++ran;
                    },
                    clause);
            }
        });
        ASSERT_EQ(ran, 80);
    }
}

// Hunts lost wake-ups and locks taken twice: tasks that run for a few instructions, or yield, with
// one to three of a few locks each. The region does not end if one of them is left parked.
TEST(Exclusion, ShortTasksUnderContention) {
    constexpr unsigned kSets = 6;
    constexpr int kTasks = 2000;
    static int memory[kSets];
    std::mt19937 random(20241122);
    for (int round = 0; round < 40; ++round) {
        Atomic<int> inside[kSets] = {};
        Atomic<int> ran{0}, overlaps{0};
        test::in_single(2 + round % 3, [&] {
            for (int i = 0; i < kTasks; ++i) {
                unsigned mask = 0;
                for (unsigned n = 1 + random() % 3; n > 0; --n)
                    mask |= 1u << random() % kSets;
                std::vector<Dependence> clause;
                for (unsigned s = 0; s < kSets; ++s)
                    if ((mask >> s & 1) != 0)
                        clause.push_back(test::on(&memory[s], Access::mutexinoutset));
                test::spawn_task(
                    [&, mask, i] {
                        for (unsigned s = 0; s < kSets; ++s)
                            if ((mask >> s & 1) != 0 && inside[s].fetch_add(1) != 0)
                                ++overlaps;
                        if (i % 16 == 0)
                            taskyield();
                        for (unsigned s = 0; s < kSets; ++s)
                            if ((mask >> s & 1) != 0)
                                --inside[s];
                        ++ran;
                    },
                    clause);
                if (i % 300 == 0)
                    taskwait();
            }
        });
        ASSERT_EQ(ran, kTasks);
        ASSERT_EQ(overlaps, 0);
    }
}

double processor_time() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least that a mutexinoutset task takes, over `addresses` in turns.
double time_with(std::size_t addresses) {
    constexpr int kTasks = 40000;
    const std::vector<char> memory(addresses * 8);
    double best = 1e9;
    for (int repetition = 0; repetition < 5; ++repetition) {
        const double begin = processor_time();
        test::in_single(1, [&] {
            for (std::size_t i = 0; i < kTasks; ++i)
                test::spawn_task([] {},
                                 {test::on(&memory[i % addresses * 8], Access::mutexinoutset)});
        });
        best = std::min(best, processor_time() - begin);
    }
    return best / kTasks;
}

TEST(Exclusion, ATaskCostsTheSameForAnyNumberOfAddresses) {
    const double few = time_with(100), many = time_with(16000);
    // Beyond what the caches do; a list of the addresses would make it a hundred times as much.
    EXPECT_LT(many, 8 * few) << few * 1e9 << " ns and " << many * 1e9 << " ns";
}

} // namespace
} // namespace loomp::core
