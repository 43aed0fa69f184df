// A wrong transition of a task ends the program in builds with assertions, and costs nothing in
// others.
#include <gtest/gtest.h>

#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

#if LOOMP_ASSERTS
#define EXPECT_WRONG(statement, message) EXPECT_DEATH(statement, message)
#else
#define EXPECT_WRONG(statement, message) static_cast<void>(message)
#endif

TEST(TaskPhase, OnlyTheNamedPhasesLead) {
    Task task = {};
    EXPECT_TRUE(is_in(task, TaskPhase::released));
    transition(task, TaskPhase::released, TaskPhase::created);
    EXPECT_WRONG(transition(task, TaskPhase::ready, TaskPhase::running),
                 "loomp: a task with flags 0 that is created becomes running");
    transition(task, TaskPhase::created | TaskPhase::linked, TaskPhase::ready);
    EXPECT_TRUE(is_in(task, TaskPhase::running | TaskPhase::ready));
}

TEST(TaskPhase, ATaskThatIsReadyDoesNotBecomeSoAgain) {
    test::in_single(1, [] {
        Worker &worker = *Worker::current();
        Task &task = *allocate_task(worker, *worker.task, 0, kTied);
        enter_ready(task);
        EXPECT_WRONG(enter_ready(task), "that is ready becomes ready");
        discard_task(task);
    });
}

TEST(TaskPhase, ATaskThatIsReleasedDoesNotComplete) {
    test::in_single(1, [] {
        Worker &worker = *Worker::current();
        Task &task = *allocate_task(worker, *worker.task, 0, kTied);
        discard_task(task);
        EXPECT_WRONG(discard_task(task), "that is released becomes finished");
    });
}

TEST(TaskPhase, BuildsWithoutAssertionsHaveNone) {
    EXPECT_EQ(sizeof(Task) > 2 * kCacheLine, LOOMP_ASSERTS != 0);
}

} // namespace
} // namespace loomp::core
