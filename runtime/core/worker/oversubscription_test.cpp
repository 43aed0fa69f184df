// Only threads in parallel regions count as using a processor.
#include "runtime/core/worker/oversubscription.h"

#include <pthread.h>
#include <sched.h>
#include <thread>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/scheduling/task_signal.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

int processors() { return static_cast<int>(available_processors()); }

/// Returns whether the team's threads that are not in its region sleep. The region's begin wakes
/// those of the region before, and they spin, and so count, until they sleep at their docks.
bool others_sleep(const Team &team) {
    for (int i = team.size; i < team.capacity; ++i)
        if (team.members[i]->dock.sleepers() == 0)
            return false;
    return true;
}

/// Returns what the primary of a region of `threads` observes when all members have begun.
bool oversubscribed_with(int threads) {
    bool no_room = false;
    Atomic<int> inside{0};
    test::in_parallel(threads, [&](Member &member) {
        ++inside;
        if (member.num != 0)
            return;
        // A thread counts twice until it sees the region.
        while (inside != member.team->size || !others_sleep(*member.team))
            sched_yield();
        no_room = oversubscribed();
    });
    return no_room;
}

/// A thread of the program that repeats `what` until it is told to end.
class Other {
  public:
    template <class What>
    explicit Other(What what)
        : thread_([this, what] {
              what(*this);
              ready_ = true;
              while (!ending_)
                  sched_yield();
          }) {
        while (!ready_)
            sched_yield();
    }
    ~Other() {
        ending_ = true;
        thread_.join();
    }
    void stay() {
        ready_ = true;
        while (!ending_)
            sched_yield();
    }

  private:
    Atomic<bool> ready_{false};
    Atomic<bool> ending_{false};
    std::thread thread_;
};

TEST(Oversubscription, BeginsWithMoreThreadsThanProcessors) {
    EXPECT_FALSE(oversubscribed());
    EXPECT_FALSE(oversubscribed_with(processors()));
    EXPECT_TRUE(oversubscribed_with(processors() + 1));
    EXPECT_FALSE(oversubscribed());
}

TEST(Oversubscription, ThreadsOutsideRegionsDoNotCount) {
    const Other idle([](Other &) { (void)Worker::current(); });
    EXPECT_FALSE(oversubscribed_with(processors()));
    const Other was_in_regions([](Other &) {
        test::in_parallel(3, [](Member &) {});
        test::in_parallel(1, [](Member &) {});
    });
    EXPECT_FALSE(oversubscribed_with(processors()));
}

TEST(Oversubscription, ThreadsInRegionsCount) {
    {
        const Other busy(
            [](Other &self) { test::in_parallel(1, [&self](Member &) { self.stay(); }); });
        EXPECT_TRUE(oversubscribed_with(processors()));
        EXPECT_EQ(oversubscribed_with(1), processors() == 1);
    }
    EXPECT_FALSE(oversubscribed_with(processors()));
}

TEST(Oversubscription, NestedRegionsCountTheirPrimaryOnce) {
    bool no_room = true;
    test::in_parallel(1, [&](Member &) {
        test::in_parallel(1, [&](Member &) { no_room = oversubscribed_with(processors()); });
    });
    EXPECT_FALSE(no_room);
    test::in_parallel(1, [&](Member &) { no_room = oversubscribed_with(processors() + 1); });
    EXPECT_TRUE(no_room);
    EXPECT_FALSE(oversubscribed_with(processors()));
}

TEST(Oversubscription, AThreadThatSleepsAloneInItsRegionDoesNotCount) {
    Atomic<const Worker *> inside{nullptr};
    TaskSignal end;
    std::thread sleeper([&] {
        test::in_parallel(1, [&](Member &) {
            inside = Worker::current();
            end.wait();
        });
    });
    // It rests once it has found no work.
    while (inside == nullptr || (inside.load()->rest.seen() & 1) == 0)
        sched_yield();
    EXPECT_FALSE(oversubscribed_with(processors()));
    EXPECT_TRUE(end.signal());
    sleeper.join();
}

TEST(Oversubscription, AThreadThatEndsInARegionDoesNotCount) {
    std::thread([] {
        ParallelRequest request;
        request.num_threads = 1;
        (void)begin_parallel(request);
    }).join();
    EXPECT_FALSE(oversubscribed_with(processors()));
}

TEST(Oversubscription, SpinningChangesAtRunTime) {
    const unsigned before = spin_limit(false);
    choose_spin(50);
    EXPECT_EQ(spin_limit(false), 50U);
    EXPECT_EQ(spin_limit(true), 50U);
    choose_spin(std::int64_t{1} << 40);
    EXPECT_EQ(spin_limit(false), ~0U);
    EXPECT_EQ(spin_limit(true), kMostLooksWithoutRoom);
    choose_spin(-1);
    EXPECT_EQ(spin_limit(false), before);
}

} // namespace
} // namespace loomp::core
