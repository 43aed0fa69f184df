// The signals that are blocked in the runtime's own threads.
#include "platform/quiet_threads.h"

#include <thread>

#include <gtest/gtest.h>

#include "platform/threads.h"

namespace loomp::core {
namespace {

bool is_blocked(int signal) {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    return sigismember(&mask, signal) == 1;
}

TEST(QuietThreads, TakeNoSignalsButTheirOwn) {
    const bool before = is_blocked(SIGUSR1);
    {
        const QuietThreads quiet;
        std::thread([] {
            for (int of_program : {SIGINT, SIGTERM, SIGUSR1, SIGALRM, SIGPROF, SIGCHLD})
                EXPECT_TRUE(is_blocked(of_program)) << of_program;
            for (int own : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
                EXPECT_FALSE(is_blocked(own)) << own;
        }).join();
    }
    EXPECT_EQ(is_blocked(SIGUSR1), before);
}

TEST(QuietThreads, LeaveBlockedWhatWas) {
    sigset_t abort_only;
    sigset_t before;
    sigemptyset(&abort_only);
    sigaddset(&abort_only, SIGABRT);
    pthread_sigmask(SIG_BLOCK, &abort_only, &before);
    {
        const QuietThreads quiet;
        std::thread([] { EXPECT_TRUE(is_blocked(SIGABRT)); }).join();
    }
    EXPECT_TRUE(is_blocked(SIGABRT));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void *note_whether_blocked(void *blocked) {
    *static_cast<bool *>(blocked) = is_blocked(SIGUSR1);
    return nullptr;
}

TEST(QuietThreads, AreThoseThatAreStartedUnlessTheyRunTheProgram) {
    for (const bool quiet : {false, true}) {
        bool blocked = !quiet;
        ThreadHandle handle;
        ASSERT_EQ(
            start_thread(note_whether_blocked, &blocked,
                         {.stack_size = std::size_t{1} << 20, .quiet = quiet, .handle = &handle}),
            0);
        join_thread(handle);
        EXPECT_EQ(blocked, quiet);
        EXPECT_FALSE(is_blocked(SIGUSR1));
    }
}

} // namespace
} // namespace loomp::core
