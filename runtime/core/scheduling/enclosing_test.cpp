// The thread that lets a suspended task continue notifies the region that the task's thread has
// begun meanwhile.
#include "runtime/core/scheduling/enclosing.h"

#include <sched.h>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/scheduling/task_signal.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

// Here nothing but that region's address says that its team is there: the first one of its thread
// has just been made. (Under ThreadSanitizer, which sees what no test on x86-64 can.)
TEST(Enclosing, ATeamIsMadeBeforeOthersSeeIt) {
    TaskSignal signal;
    Atomic<bool> begun{false};
    Atomic<bool> unblocked{false};
    test::in_parallel(2, [&](Member &member) {
        if (member.num == 0) {
            test::spawn_task([&] {
                test::in_parallel(1, [&](Member &) {
                    begun.store(true, std::memory_order_relaxed);
                    while (!unblocked.load(std::memory_order_relaxed))
                        sched_yield();
                });
            });
            signal.wait(); // the thread goes on with that task; the other one takes none
            EXPECT_TRUE(unblocked);
        } else {
            while (!begun.load(std::memory_order_relaxed))
                sched_yield();
            EXPECT_TRUE(signal.signal());
            unblocked.store(true, std::memory_order_relaxed);
        }
    });
}

} // namespace
} // namespace loomp::core
