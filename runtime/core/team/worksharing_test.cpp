// Loops: every schedule gives every iteration exactly once, with all numbers of threads, iterations
// and chunk sizes. Ordered regions and doacross dependences hold.
#include "runtime/core/team/worksharing.h"

#include <sched.h>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/team/barrier.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

struct Case {
    ScheduleKind kind;
    ChunkOrder order;
    const char *name;
};
constexpr Case kKinds[] = {{ScheduleKind::static_, ChunkOrder::required, "static"},
                           {ScheduleKind::dynamic, ChunkOrder::required, "monotonic dynamic"},
                           {ScheduleKind::dynamic, ChunkOrder::irrelevant, "nonmonotonic dynamic"},
                           {ScheduleKind::guided, ChunkOrder::required, "guided"}};

TEST(Worksharing, EveryIterationOnce) {
    for (const Case &c : kKinds)
        for (int threads : {1, 2, 3, 5})
            for (std::uint64_t trip : {0ull, 1ull, 2ull, 7ull, 64ull, 1001ull})
                for (std::uint64_t chunk : {0ull, 1ull, 3ull, 1000ull, ~0ull / 2}) {
                    if (chunk == 0 && c.kind != ScheduleKind::static_)
                        continue; // front ends give these a chunk
                    std::vector<Atomic<int>> hits(trip);
                    test::in_parallel(threads, [&](Member &member) {
                        for (int repeat = 0; repeat < 2; ++repeat) {
                            LoopRequest request;
                            request.kind = c.kind;
                            request.order = c.order;
                            request.trip = trip;
                            request.chunk = chunk;
                            begin_loop(member, request);
                            while (next_chunk(member)) {
                                ASSERT_LE(member.work.end, trip);
                                ASSERT_LT(member.work.first, member.work.end);
                                for (auto i = member.work.first; i < member.work.end; ++i)
                                    ++hits[i];
                            }
                            leave_work(member);
                        }
                    });
                    for (std::uint64_t i = 0; i < trip; ++i)
                        ASSERT_EQ(hits[i], 2) << c.name << " threads " << threads << " trip "
                                              << trip << " chunk " << chunk << " iteration " << i;
                }
}

TEST(Worksharing, SharesAreTakenOverAndTheLastChunkComesLast) {
    constexpr std::uint64_t kTrip = 2000;
    for (int round = 0; round < 30; ++round) {
        std::vector<Atomic<int>> hits(kTrip);
        Atomic<int> had_last{0};
        Atomic<std::uint64_t> helped{0};
        test::in_parallel(4, [&](Member &member) {
            // Late members find that others have begun or finished their share.
            for (int i = 0; i < 20000 * member.num * (round % 3); ++i)
                cpu_relax();
            LoopRequest request;
            request.kind = ScheduleKind::dynamic;
            request.order = ChunkOrder::irrelevant;
            request.trip = kTrip;
            request.chunk = 1;
            begin_loop(member, request);
            std::uint64_t previous = 0;
            while (next_chunk(member)) {
                previous = member.work.first;
                ++hits[previous];
                if (previous / (kTrip / 4) != static_cast<std::uint64_t>(member.num))
                    ++helped;
                if (previous % 97 == 0)
                    cpu_relax();
            }
            if (previous == kTrip - 1)
                ++had_last;
            leave_work(member);
        });
        for (std::uint64_t i = 0; i < kTrip; ++i)
            ASSERT_EQ(hits[i], 1) << "iteration " << i << ", round " << round;
        EXPECT_EQ(had_last, 1);
        if (round % 3 != 0) {
            EXPECT_GT(helped, 0u);
        }
    }
}

// A member may find no chunk and take the last one, while another one moves stolen chunks to its
// own share. lastprivate variables have the value of a member's last chunk.
TEST(Worksharing, NothingComesAfterTheLastChunk) {
    constexpr ChunkShare::Range kOfSecond = {1000, 1999};
    Atomic<bool> goes_on{false};
    test::in_parallel(2, [&](Member &member) {
        while (member.num == 1 && !goes_on)
            sched_yield();
        LoopRequest request;
        request.kind = ScheduleKind::dynamic;
        request.order = ChunkOrder::irrelevant;
        request.trip = kOfSecond.end + 1;
        request.chunk = 1;
        begin_loop(member, request);
        std::uint64_t count = 0;
        if (member.num == 0) {
            WorkSegment &segment = *member.work.segment;
            ChunkShare &share = segment.shares()[1].of_slot[member.work.slot - segment.slots];
            for (std::uint64_t moved = 0; share.take(kOfSecond, moved);) {
            }
            while (next_chunk(member) && member.work.first != kOfSecond.end)
                ++count;
            share.put(kOfSecond);
            EXPECT_FALSE(next_chunk(member));
            EXPECT_EQ(count, kOfSecond.first);
            goes_on = true;
        } else {
            while (next_chunk(member))
                ++count;
            EXPECT_EQ(count, kOfSecond.end - kOfSecond.first);
        }
        leave_work(member);
    });
}

TEST(Worksharing, OrderedInTurn) {
    for (const Case &c : kKinds)
        for (std::uint64_t chunk : {1ull, 4ull}) {
            std::uint64_t next = 0;
            test::in_parallel(3, [&](Member &member) {
                LoopRequest request;
                request.kind = c.kind;
                request.trip = 100;
                request.chunk = chunk;
                request.ordered = true;
                begin_loop(member, request);
                while (next_chunk(member))
                    for (auto i = member.work.first; i < member.work.end; ++i) {
                        if (i % 5 == 2)
                            continue;
                        enter_ordered(member);
                        EXPECT_LE(next, i) << c.name;
                        next = i + 1;
                        leave_ordered(member);
                    }
                leave_work(member);
            });
            EXPECT_EQ(next, 100u);
        }
}

TEST(Worksharing, DoacrossWaitsForWhatItNames) {
    std::vector<int> chain(301);
    chain[0] = 1;
    test::in_parallel(4, [&](Member &member) {
        enter_doacross(member, 301);
        if (member.num == 0)
            post_iteration(member, 0);
        LoopRequest request;
        request.kind = ScheduleKind::dynamic;
        request.trip = 300;
        request.chunk = 7;
        begin_loop(member, request, true);
        while (next_chunk(member))
            for (auto i = member.work.first; i < member.work.end; ++i) {
                wait_iteration(member, i);
                chain[i + 1] = chain[i] + 1;
                post_iteration(member, i + 1);
            }
        leave_work(member);
    });
    EXPECT_EQ(chain[300], 301);
}

TEST(Worksharing, SingleIsExecutedByOne) {
    Atomic<int> singles{0};
    test::in_parallel(4, [&](Member &member) {
        // No barrier separates them, and they are far more than a segment's slots.
        for (int i = 0; i < 1000; ++i)
            if (enter_single(member))
                ++singles;
    });
    EXPECT_EQ(singles, 1000);
}

/// Returns the length of the team's chain.
int segments_of(const Team &team) {
    int count = 0;
    for (const WorkSegment *segment = team.work.oldest; segment != nullptr;
         segment = segment->next.load())
        ++count;
    return count;
}

TEST(Worksharing, NobodyWaitsForASlowerMember) {
    constexpr int kConstructs = 100 * static_cast<int>(kWorkSlots);
    for (int threads : {2, 3}) {
        Atomic<int> passed{0};
        std::vector<Atomic<int>> iterations(kConstructs);
        Team *used = nullptr;
        test::in_parallel(threads, [&](Member &member) {
            // Each member begins when the one before it has passed all constructs.
            while (passed != member.num)
                sched_yield();
            for (int i = 0; i < kConstructs; ++i) {
                LoopRequest request;
                request.kind = ScheduleKind::dynamic;
                request.trip = 10;
                request.chunk = 1;
                begin_loop(member, request);
                while (next_chunk(member))
                    ++iterations[static_cast<std::size_t>(i)];
                leave_work(member);
            }
            EXPECT_LE(segments_of(*member.team),
                      member.num + 1 < threads ? 1 + kConstructs / static_cast<int>(kWorkSlots)
                                               : 1);
            used = member.team;
            ++passed;
        });
        for (const Atomic<int> &count : iterations)
            ASSERT_EQ(count, 10);
        EXPECT_EQ(segments_of(*used), 1);
    }
}

TEST(Worksharing, ConstructsOfARegionAreUnusedWhateverThePreviousOneLeft) {
    for (int threads : {1, 2, 3, 2}) {
        // Members leave a cancelled region from different constructs, and in the middle of one.
        test::in_parallel(threads, [&](Member &member) {
            for (int i = 0; i < 20 * (threads - member.num); ++i)
                (void)enter_single(member);
            (void)enter_work(member);
            member.work.slot->next.store(5);
        });
        Atomic<int> singles{0};
        std::vector<Atomic<int>> hits(50);
        test::in_parallel(threads, [&](Member &member) {
            EXPECT_EQ(segments_of(*member.team), 1);
            barrier(member);
            for (int i = 0; i < 50; ++i)
                if (enter_single(member))
                    ++singles;
            LoopRequest request;
            request.kind = ScheduleKind::dynamic;
            request.order = ChunkOrder::required;
            request.trip = 50;
            begin_loop(member, request);
            while (next_chunk(member))
                for (auto i = member.work.first; i < member.work.end; ++i)
                    ++hits[i];
            leave_work(member);
        });
        EXPECT_EQ(singles, 50);
        for (const Atomic<int> &count : hits)
            ASSERT_EQ(count, 1);
    }
}

// A number stands for one construct, also where constructs have no shared state.
TEST(Worksharing, NumbersDivideARegionIntoConstructs) {
    test::in_parallel(2, [](Member &member) {
        std::uint64_t last = 0;
        const auto later = [&member, &last] {
            return std::exchange(last, member.work.number) < member.work.number;
        };
        EXPECT_TRUE(later());
        (void)enter_work(member);
        EXPECT_TRUE(later());
        leave_work(member);
        EXPECT_TRUE(later());
        enter_divided_work(member.work);
        EXPECT_TRUE(later());
        barrier(member);
        EXPECT_TRUE(later());
    });
}

} // namespace
} // namespace loomp::core
