// A team that runs several regions: what one of them has set, the next one does not find.
#include <gtest/gtest.h>

#include "loomp/experimental.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/regions/teams.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "tests/unit/creation.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

using test::create;

/// Runs `before` in a region of so many threads, and checks the team in its next region.
template <class Before> void expect_nothing_left(int threads, std::uint32_t set, Before before) {
    Team *team = nullptr;
    test::in_single(threads, [&] {
        team = Worker::current()->member->team;
        before();
        EXPECT_TRUE(set == 0 || team->has_met(set));
    });
    test::in_single(threads, [&] {
        ASSERT_EQ(Worker::current()->member->team, team);
        EXPECT_FALSE(team->has_met(~Team::kOrders));
        EXPECT_FALSE(team->cancelled);
        EXPECT_EQ(team->initial_group, nullptr);
        EXPECT_FALSE(team->is_league);
    });
}

class HotTeam : public ::testing::TestWithParam<int> {};

TEST_P(HotTeam, ForgetsPriorities) {
    const test::AllTasksQueued queued;
    priority_range = {0, 10};
    for (int round = 0; round < 2; ++round) // the second time the queue exists already
        expect_nothing_left(GetParam(), Team::kPriorities, [] {
            static const char code = 0;
            create([] {}, {}, &code, 1);
            taskwait();
        });
    apply_priority_settings();
}

TEST_P(HotTeam, ForgetsGatheredTasks) {
    const test::AllTasksQueued queued;
    static const int kind =
        loomp_task_kind("kind", [](void *const *, std::size_t, void *) {}, nullptr, 8);
    expect_nothing_left(GetParam(), Team::kGathers, [] {
        static const char code = 0;
        loomp_next_task_kind(kind, nullptr);
        create([] {}, {}, &code);
        taskwait();
    });
}

TEST_P(HotTeam, ForgetsTasksThatWereQueuedAgain) {
    expect_nothing_left(GetParam(), Team::kParts, [] {
        int runs = 0;
        test::spawn_task([&runs] {
            const auto returned = [](void *task, int ends) {
                if (ends == 0)
                    loomp_make_ready(static_cast<loomp_task_t *>(task));
            };
            EXPECT_EQ(loomp_when_returned(returned, loomp_task_self()), 0);
            if (++runs < 3)
                loomp_run_again();
        });
        taskwait();
        EXPECT_EQ(runs, 3);
    });
}

TEST_P(HotTeam, ForgetsCancelledTaskgroups) {
    expect_nothing_left(GetParam(), Team::kCancellation, [] {
        begin_taskgroup();
        EXPECT_TRUE(cancel_taskgroup(*Worker::current()->task));
        begin_cancellation(*Worker::current()->member->team); // one that the region leaves
        end_taskgroup();
    });
}

TEST_P(HotTeam, ForgetsItsTaskgroup) {
    const auto group_of_implicit_task = [] { return Worker::current()->task->group; };
    static TaskGroup group;
    ParallelRequest request;
    request.num_threads = GetParam();
    request.body = [](void *, Member &member) { EXPECT_EQ(member.implicit.group, &group); };
    request.prepare = [](Team &team, void *) { team.initial_group = &group; };
    parallel(request);
    // The league's team may be one that has run that region.
    league(
        2, 0, *Worker::current()->task->icvs,
        [](void *group_of, Member &) {
            EXPECT_EQ((*static_cast<decltype(group_of_implicit_task) *>(group_of))(), nullptr);
        },
        const_cast<void *>(static_cast<const void *>(&group_of_implicit_task)), nullptr);
    expect_nothing_left(GetParam(), 0, [] {});
}

// An order belongs to the thread, which is in all of its enclosing regions.
TEST_P(HotTeam, FollowsAnOrderOfQueuesFromANestedRegion) {
    test::in_single(GetParam(), [] {
        const Team &outer = *Worker::current()->member->team;
        test::in_parallel(1, [](Member &) {
            const int queue = loomp_queue("hot team", LOOMP_ANY_PLACE);
            loomp_set_queue_order(&queue, 1);
        });
        EXPECT_TRUE(outer.has_met(Team::kOrders));
        loomp_set_queue_order(nullptr, 0);
    });
}

INSTANTIATE_TEST_SUITE_P(Threads, HotTeam, ::testing::Values(1, 2, 4));

} // namespace
} // namespace loomp::core
