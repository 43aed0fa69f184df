// Forks of a team whose size changes: members of the region take part in it, and the other ones
// sleep.
#include <sched.h>
#include <vector>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/progress/poller.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

constexpr int kMost = 64;

/// Returns the other members' threads, by number.
std::vector<Worker *> threads_of_region(int size) {
    std::vector<Worker *> threads(static_cast<std::size_t>(size));
    test::in_parallel(size, [&threads](Member &member) {
        threads[static_cast<std::size_t>(member.num)] = Worker::current();
    });
    return threads;
}

/// Returns how often each has gone to sleep.
std::vector<std::uint64_t> parks_of(const std::vector<Worker *> &threads) {
    std::vector<std::uint64_t> parks;
    parks.reserve(threads.size());
    for (const Worker *thread : threads)
        parks.push_back(thread->discovery.parks);
    return parks;
}

/// Waits until those from `first` on sleep, and have gone to sleep since `parks`.
void wait_until_asleep(const std::vector<Worker *> &threads, std::size_t first,
                       const std::vector<std::uint64_t> &parks) {
    for (std::size_t i = first; i < threads.size(); ++i)
        while ((threads[i]->rest.seen() & 1) == 0 || threads[i]->discovery.parks <= parks[i])
            sched_yield();
}

TEST(Fork, WakesNobodyWhoIsNotInTheRegion) {
    constexpr std::size_t size = 2;
    const std::vector<Worker *> threads = threads_of_region(kMost);
    // First they sleep in that region's join; then, after a fork that leaves them out, they sleep
    // docked.
    wait_until_asleep(threads, 1, std::vector<std::uint64_t>(kMost, 0));
    const std::vector<std::uint64_t> in_join = parks_of(threads);
    test::in_parallel(size, [](Member &) {});
    wait_until_asleep(threads, size, in_join);
    const std::vector<std::uint64_t> docked = parks_of(threads);
    for (int i = 0; i < 500; ++i)
        test::in_parallel(size, [](Member &) {});
    const std::vector<std::uint64_t> later = parks_of(threads);
    for (std::size_t i = size; i < threads.size(); ++i) {
        EXPECT_EQ(later[i], docked[i]) << i;
        EXPECT_EQ(threads[i]->rest.seen() & 1, 1u) << i;
    }
}

// Hunts for members that a region misses, and for members that join a wrong region.
TEST(Fork, EachRegionHasItsMembersAndNoOthers) {
    std::uint32_t seed = 7;
    for (int round = 0; round < 3000; ++round) {
        seed = seed * 1664525 + 1013904223;
        // Mostly small regions, so that many members go to the dock and return.
        const int size = 1 + static_cast<int>((seed >> 24) % ((round & 7) == 0 ? 24 : 4));
        Atomic<std::uint32_t> members{0};
        test::in_parallel(size, [&members](Member &member) {
            EXPECT_EQ(members.fetch_add(1u << member.num) & (1u << member.num), 0u);
        });
        ASSERT_EQ(members, (1u << size) - 1) << size;
    }
}

/// Stops a late member of a region between its check whether the next one has begun and its look
/// for tasks: its thread polls there.
struct LateMember {
    static constexpr int kNumber = 3;
    Poller &poller = *register_poller("late member", stop, this);
    Atomic<bool> polls{false};
    Atomic<bool> goes_on{false};

    static int stop(void *data) {
        auto &self = *static_cast<LateMember *>(data);
        const Worker *worker = Worker::current();
        if (worker == nullptr || worker->member == nullptr || worker->member->num != kNumber)
            return 0;
        self.polls = true;
        while (!self.goes_on)
            sched_yield();
        return 1;
    }
    ~LateMember() { unregister_poller(poller); }
};

// The late member takes several of the next region's tasks. Members of that region run them.
TEST(Fork, WhoIsNotInTheRegionKeepsNoneOfItsTasks) {
    const test::AllTasksQueued queued;
    constexpr int kTasks = 200;
    const std::vector<Worker *> threads = threads_of_region(LateMember::kNumber + 1);
    for (int round = 0; round < 20; ++round) {
        LateMember late;
        Atomic<int> ran{0};
        test::in_parallel(LateMember::kNumber + 1, [&](Member &member) {
            if (member.num == LateMember::kNumber)
                return expect(late.poller, 1);
            // The late member sleeps if another idle thread was polling when it looked, and looks
            // again when woken.
            while (!late.polls) {
                member.team->event.notify_all();
                sched_yield();
            }
        });
        const std::vector<std::uint64_t> parks = parks_of(threads);
        test::in_parallel(2, [&](Member &member) {
            if (member.num == 0) {
                for (int i = 0; i < kTasks; ++i)
                    test::spawn_task([&ran] { ++ran; });
                late.goes_on = true;
            }
            wait_until_asleep(threads, LateMember::kNumber, parks);
        });
        ASSERT_EQ(ran, kTasks);
    }
}

} // namespace
} // namespace loomp::core
