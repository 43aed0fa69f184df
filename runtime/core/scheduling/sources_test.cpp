// The table of sources: each one, filled, is visible and taken from; emptied, it is not visible. A
// source without a way to fill it here does not compile.
#include <gtest/gtest.h>

#include "runtime/core/scheduling/sources.h"
#include "runtime/core/scheduling/stack_shortage.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

/// Brings a new task to the source, and returns it.
template <Source S> Task &fill(Worker &worker, Member &member) = delete;

Task &make_ready_task(TaskFlags flags = kTied) {
    Task &task = test::make_task([] {}, flags);
    enter_ready(task);
    return task;
}

Task &queued(Task &task) {
    queue_ready(task);
    return task;
}

/// A task in a queue with a name; the worker gets the order {queue, 0}, {0, queue} or none.
Task &fill_named(Worker &worker, int first, int count) {
    const auto queue = static_cast<int>(named_queue("sources", -1));
    const int order[] = {queue, 0, queue};
    EXPECT_TRUE(set_queue_order(worker, order + first, count));
    Task &task = make_ready_task();
    place_in_named(task, static_cast<unsigned>(queue));
    return queued(task);
}

template <> Task &fill<PrioritizedTasks>(Worker &, Member &) {
    Task &task = make_ready_task();
    set_priority(task, 1);
    return queued(task);
}
template <> Task &fill<NamedFirst>(Worker &worker, Member &) { return fill_named(worker, 0, 2); }
template <> Task &fill<OwnTasks>(Worker &, Member &) { return queued(make_ready_task()); }
template <> Task &fill<GatheredTasks>(Worker &, Member &) {
    static const unsigned kind =
        add_task_kind([](void *const *, std::size_t, void *) {}, nullptr, 8);
    Task &task = make_ready_task(kTied | TaskFlags{kFusible});
    task.route.set_kind(kind);
    return queued(task);
}
template <> Task &fill<TargetTasks>(Worker &, Member &) {
    Task &task = make_ready_task(kTied | kTarget);
    task.route.set_begins_on_device(true);
    return queued(task);
}
template <> Task &fill<PlacedTasks>(Worker &worker, Member &) { return fill_named(worker, 0, 0); }
template <> Task &fill<InboxTasks>(Worker &, Member &) {
    Task &task = make_ready_task();
    enqueue_from_outside(task);
    return task;
}
template <> Task &fill<OthersTasks>(Worker &, Member &member) {
    Task &task = make_ready_task();
    expect_tasks(*member.team);
    member.team->members[1]->ready.push(&task); // whose thread waits
    return task;
}
template <> Task &fill<NamedLast>(Worker &worker, Member &) { return fill_named(worker, 1, 2); }
template <> Task &fill<UnstartedTasks>(Worker &, Member &member) {
    Task &task = make_ready_task();
    defer_until_stack(member, task);
    return task;
}

/// Calls `f` with each source of a table, those of its groups included.
template <Source S, class F> void for_each_source(F f) {
    if constexpr (requires { S::for_each(f); })
        S::for_each([f]<Source Each>() { for_each_source<Each>(f); });
    else
        f.template operator()<S>();
}

/// Member 0 runs `body`; the thread of member 1 waits, and takes nothing.
template <class F> void beside_a_waiting_member(F body) {
    Atomic<bool> done{false};
    test::in_parallel(2, [&](Member &member) {
        ASSERT_EQ(member.team->size, 2);
        if (member.num == 0) {
            body(*member.worker, member);
            done.store(true, std::memory_order_release);
        }
        while (!done.load(std::memory_order_acquire))
            cpu_relax();
    });
}

class SourcesOfWork : public ::testing::Test {
    void SetUp() override { priority_range = {0, 10}; }
    void TearDown() override { apply_priority_settings(); }
};

TEST_F(SourcesOfWork, EachIsVisibleAsLongAsATaskCanBeTakenFromIt) {
    beside_a_waiting_member([](Worker &worker, Member &member) {
        for_each_source<AllSources>([&]<Source S>() {
            EXPECT_FALSE(tasks_visible(member));
            Task &task = fill<S>(worker, member);
            EXPECT_TRUE(S::visible(member));
            EXPECT_TRUE(tasks_visible(member));
            EXPECT_EQ(S::take(worker, member), &task);
            EXPECT_FALSE(S::visible(member));
            discard_task(task);
        });
        set_queue_order(worker, nullptr, 0);
    });
}

// The worker resumes a region that was suspended while it got its order in another one.
TEST_F(SourcesOfWork, AnOrderCountsInATeamThatDoesNotKnowOfIt) {
    queues_have_orders.store(false, std::memory_order_relaxed);
    beside_a_waiting_member([](Worker &worker, Member &member) {
        ASSERT_FALSE(member.team->has_met(Team::kOrders));
        Task &task = fill<PlacedTasks>(worker, member);
        worker.queue_order = new QueueOrder;
        EXPECT_TRUE(tasks_visible(member));
        EXPECT_EQ(take_task(worker, member), &task);
        discard_task(task);
        set_queue_order(worker, nullptr, 0);
    });
}

TEST_F(SourcesOfWork, EachIsPartOfTheTable) {
    beside_a_waiting_member([](Worker &worker, Member &member) {
        for_each_source<AllSources>([&]<Source S>() {
            Task &task = fill<S>(worker, member);
            EXPECT_EQ(take_task(worker, member), &task);
            EXPECT_FALSE(tasks_visible(member));
            discard_task(task);
        });
        set_queue_order(worker, nullptr, 0);
    });
}

TEST_F(SourcesOfWork, TheTableTakesInItsOrder) {
    beside_a_waiting_member([](Worker &worker, Member &member) {
        std::vector<Task *> filled;
        // Backwards, and without those that need another order of named queues.
        filled.push_back(&fill<UnstartedTasks>(worker, member));
        filled.push_back(&fill<NamedLast>(worker, member));
        filled.push_back(&fill<OthersTasks>(worker, member));
        filled.push_back(&fill<InboxTasks>(worker, member));
        filled.push_back(&fill<TargetTasks>(worker, member));
        filled.push_back(&fill<GatheredTasks>(worker, member));
        filled.push_back(&fill<OwnTasks>(worker, member));
        filled.push_back(&fill<PrioritizedTasks>(worker, member));
        for (; !filled.empty(); filled.pop_back()) {
            EXPECT_EQ(take_task(worker, member), filled.back());
            discard_task(*filled.back());
        }
        EXPECT_EQ(take_task(worker, member), nullptr);
        set_queue_order(worker, nullptr, 0);
    });
}

} // namespace
} // namespace loomp::core
