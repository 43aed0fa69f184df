// mutexinoutset: members of a set never overlap, hold all their locks or none, and all run.
#include "core/exclusion.h"

#include <atomic>

#include <gtest/gtest.h>

#include "support.h"

namespace loomp::core {
namespace {

TEST(Exclusion, TakeParkAndFree) {
    auto *exclusion = new Exclusion;
    Task first{}, second{}, third{};
    EXPECT_FALSE(exclusion->park_if_held(first));
    EXPECT_TRUE(exclusion->try_take());
    EXPECT_FALSE(exclusion->try_take());
    EXPECT_TRUE(exclusion->park_if_held(second));
    EXPECT_TRUE(exclusion->park_if_held(third));
    int parked = 0;
    for (Task *task = exclusion->free(); task != nullptr; task = task->next)
        ++parked;
    EXPECT_EQ(parked, 2);
    EXPECT_EQ(exclusion->free(), nullptr);
    EXPECT_TRUE(exclusion->try_take());
    exclusion->free();
    exclusion->drop();
}

TEST(Exclusion, SeveralLocksEach) {
    constexpr int kSets = 4;
    for (int round = 0; round < 60; ++round) {
        std::atomic<int> inside[kSets] = {};
        std::atomic<int> ran{0};
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

} // namespace
} // namespace loomp::core
