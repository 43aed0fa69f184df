// Barriers: no member passes before all have come and all tasks of the team have completed.
#include "runtime/core/team/barrier.h"

#include <thread>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

TEST(Barrier, WaitsForEveryMember) {
    for (int threads : {1, 2, 3, 7, 9, 24, 70}) {
        const int rounds = threads > kGroup ? 20 : 200;
        Atomic<int> come{0};
        test::in_parallel(threads, [&](Member &member) {
            for (int round = 1; round <= rounds; ++round) {
                ++come;
                barrier(member);
                EXPECT_EQ(come, threads * round);
                barrier(member);
            }
        });
    }
}

TEST(Barrier, WaitsForTasksAndTheirDescendants) {
    for (int threads : {1, 2, 4})
        for (int round = 0; round < 100; ++round) {
            Atomic<int> ran{0};
            test::in_parallel(threads, [&](Member &member) {
                for (int i = 0; i < 3; ++i)
                    test::spawn_task([&ran] {
                        for (int k = 0; k < 2; ++k)
                            test::spawn_task([&ran] {
                                test::spawn_task([&ran] { ++ran; });
                                ++ran;
                            });
                        ++ran;
                    });
                barrier(member);
                EXPECT_EQ(ran, threads * 3 * 5);
                barrier(member);
                // The second round uses the children word again from its initial value.
                test::spawn_task([&ran] { ++ran; });
                barrier(member);
                EXPECT_EQ(ran, threads * (3 * 5 + 1));
            });
        }
}

TEST(Barrier, RegionEndsAfterItsTasks) {
    for (int round = 0; round < 300; ++round) {
        Atomic<int> ran{0};
        test::in_parallel(3, [&](Member &) {
            test::spawn_task([&ran] {
                test::spawn_task([&ran] { ++ran; });
                taskyield();
                ++ran;
            });
        });
        ASSERT_EQ(ran, 6);
    }
}

TEST(Barrier, OfACancelledRegionAreForThoseThatHaveNotLeft) {
    for (int round = 0; round < 300; ++round) {
        Atomic<int> passed{0};
        test::in_parallel(3, [&](Member &member) {
            for (int i = 0; i < 3; ++i)
                test::spawn_task([] {
                    taskyield();
                    test::spawn_task([] { std::this_thread::yield(); });
                });
            // It goes to the end at once.
            if (member.num == round % 3) {
                begin_cancellation(*member.team);
                member.team->cancelled.store(true);
                return;
            }
            if (!barrier_cancellable(member))
                ++passed;
            // The other two still meet at barriers, whatever the compiler makes of the
            // cancellation.
            ++passed;
            barrier(member);
            EXPECT_EQ(passed, 2);
        });
        ASSERT_EQ(passed, 2);
        Atomic<int> members{0};
        test::in_parallel(3, [&](Member &member) {
            ++members;
            barrier(member);
            EXPECT_EQ(members, 3);
        });
    }
}

TEST(Barrier, OfACancelledLargeRegionAreForThoseThatHaveNotLeft) {
    constexpr int threads = 67; // groups of 8, and the last one of 3; two groups of groups
    for (int round = 0; round < 24; ++round) {
        // All of a group, all but one of a group, one of each group.
        const auto leaves = [round](int num) {
            return round % 3 == 0   ? num / kGroup == round / 3
                   : round % 3 == 1 ? num / kGroup == round / 3 && num % kGroup != 0
                                    : num % kGroup == round / 3;
        };
        int stay = 0;
        for (int num = 0; num < threads; ++num)
            stay += leaves(num) ? 0 : 1;
        Atomic<int> passed{0};
        test::in_parallel(threads, [&](Member &member) {
            if (leaves(member.num)) {
                begin_cancellation(*member.team);
                member.team->cancelled.store(true);
                return;
            }
            for (int i = 1; i <= 3; ++i) {
                ++passed;
                barrier(member);
                EXPECT_GE(passed, i * stay);
            }
        });
        ASSERT_EQ(passed, 3 * stay);
        Atomic<int> members{0};
        test::in_parallel(threads, [&](Member &member) {
            ++members;
            barrier(member);
            EXPECT_EQ(members, threads);
        });
    }
}

TEST(Barrier, TeamsOfChangingSize) {
    for (int round = 0; round < 500; ++round) {
        const int threads = round % 3 == 0 ? 5 : round % 50 == 1 ? 9 + round / 10 : 2;
        Atomic<int> members{0};
        test::in_parallel(threads, [&](Member &member) {
            ++members;
            test::spawn_task([threads] { EXPECT_LT(Worker::current()->member->num, threads); });
            barrier(member);
            EXPECT_EQ(members, threads);
        });
    }
}

} // namespace
} // namespace loomp::core
