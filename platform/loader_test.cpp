// env: TSAN_OPTIONS=die_after_fork=0:report_bugs=0
#include "platform/loader.h"

#include <chrono>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "platform/atomic.h"

namespace loomp::core {
namespace {

bool child_can_list_libraries() {
    const pid_t child = fork();
    if (child == 0)
        _exit(can_list_libraries() ? 0 : 1);
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0;
}

#ifndef __SANITIZE_THREAD__ // it has a thread of its own
TEST(Loader, IsUsedByTheChildOfOneThread) {
    EXPECT_TRUE(child_can_list_libraries());
    std::thread([] {}).join();
    // The system removes the thread a little after join() returns.
    bool can = false;
    for (int i = 0; i < 1000 && !can; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        can = child_can_list_libraries();
    }
    EXPECT_TRUE(can);
}
#endif

TEST(Loader, IsNotUsedByTheChildOfOneOfSeveralThreads) {
    Atomic<bool> ends{false};
    std::thread other([&] {
        while (!ends.load(std::memory_order_acquire)) // pairs with the store below
            std::this_thread::yield();
    });
    EXPECT_FALSE(child_can_list_libraries());
    ends.store(true, std::memory_order_release); // the thread has nothing to read
    other.join();
    EXPECT_TRUE(can_list_libraries());
}

} // namespace
} // namespace loomp::core
