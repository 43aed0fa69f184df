// The child of fork() has only the calling thread: locks, counts, waits and plans of the other
// threads do not disturb it. (ThreadSanitizer follows only the child's new threads, not how the
// forking thread synchronises with them, so its reports are off here.)
// link: alpi
// env: TSAN_OPTIONS=die_after_fork=0:report_bugs=0
#include "platform/locks_at_fork.h"
#include "platform/made_once.h"
#include "runtime/core/process/runtime.h"

#include <csignal>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "loomp/alpi.h"
#include "platform/atomic.h"
#include "runtime/alpi/timer.h"
#include "runtime/core/regions/lock.h"
#include "runtime/core/worker/oversubscription.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

alpi_task *self() {
    alpi_task *task = nullptr;
    alpi_task_self(&task);
    return task;
}
bool unblock(alpi_task *task) { return alpi_task_unblock(task) == ALPI_SUCCESS; }

// A child may hang in gcc 12's AddressSanitizer, which does not release its locks in the child if
// another thread starts or ends at the time of the fork. Such a child is tried again there.
#ifdef __SANITIZE_ADDRESS__
constexpr int kTries = 3;
constexpr unsigned kSeconds = 4;
#else
constexpr int kTries = 1;
constexpr unsigned kSeconds = 30;
#endif

/// Returns whether `body` soon returns true in a child of the calling thread.
template <class Body> bool holds_in_child(Body body) {
    int status = -1;
    for (int i = 0; i < kTries; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(kSeconds);
            _exit(body() ? 0 : 1);
        }
        if (waitpid(child, &status, 0) != child)
            return false;
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGALRM)
            break;
    }
    return status == 0;
}

/// Runs a region of suspending tasks. It has new threads, and so the stacks of vanished ones.
bool tasks_suspend(int threads) {
    Atomic<int> done{0};
    test::in_single(threads, [&done] {
        for (int i = 0; i < 50; ++i)
            test::spawn_task([&done] {
                taskyield();
                ++done;
            });
    });
    return done == 50;
}

/// Tasks that block until a later one unblocks them.
bool tasks_block(int threads) {
    Atomic<int> done{0};
    test::in_single(threads, [&done] {
        for (int i = 0; i < 50; ++i) {
            Atomic<alpi_task *> blocked{nullptr};
            test::spawn_task([&] {
                blocked = self();
                alpi_task_block(self());
                ++done;
            });
            test::spawn_task([&] {
                while (blocked == nullptr)
                    taskyield();
                unblock(blocked);
            });
            taskwait();
        }
    });
    return done == 50;
}

TEST(AfterFork, LocksThatOthersHoldAreWaitedForAndFree) {
    ASSERT_TRUE(tasks_suspend(3));
    for (int round = 0; round < 20; ++round) {
        Atomic<bool> held{false};
        std::thread holder([&held] {
            LocksAtFork::visit_all([](SpinLock &lock) { lock.lock(); });
            held = true;
            usleep(2000);
            LocksAtFork::visit_all([](SpinLock &lock) { lock.unlock(); });
        });
        while (!held)
            sched_yield();
        EXPECT_TRUE(holds_in_child([] { return tasks_suspend(3) && tasks_block(2); }));
        holder.join();
    }
}

TEST(AfterFork, CountsAreThoseOfOneThread) {
    Atomic<bool> end{false};
    Atomic<int> inside{0};
    std::thread other([&] {
        test::in_parallel(8, [&](Member &) {
            ++inside;
            while (!end)
                sched_yield();
        });
    });
    while (inside != 8)
        sched_yield();
    EXPECT_TRUE(holds_in_child([] {
        bool resting = true;
        for (unsigned i = 0; i < worker_count(); ++i)
            resting = resting &&
                      (&Worker::at(i) == Worker::current() || (Worker::at(i).rest.seen() & 1) != 0);
        return resting && !oversubscribed() && Worker::current()->os_thread == getpid() &&
               tasks_suspend(4);
    }));
    end = true;
    other.join();
}

int count_mappings() {
    std::ifstream maps("/proc/self/maps");
    int count = 0;
    for (std::string line; std::getline(maps, line);)
        ++count;
    return count;
}

/// True if the process and so many generations of its children have at most `allowed` mappings.
bool mappings_stay_few(int generations, int allowed) {
    return tasks_suspend(9) && count_mappings() <= allowed &&
           (generations == 0 ||
            holds_in_child([=] { return mappings_stay_few(generations - 1, allowed); }));
}

TEST(AfterFork, EachGenerationUsesTheStacksOfTheLast) {
    ASSERT_TRUE(tasks_suspend(9));
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    constexpr int kAllowed = 1'000'000; // a sanitizer has mappings for each thread that ever was
#else
    constexpr int kAllowed = 60; // two for each thread's signal stack, if nobody returned them
#endif
    EXPECT_TRUE(mappings_stay_few(20, count_mappings() + kAllowed));
}

/// Returns whether the last of `generations` children of each other has at most `most` workers.
bool workers_stay_few(int generations, unsigned most) {
    return tasks_suspend(4) && worker_count() <= most &&
           (generations == 0 ||
            holds_in_child([&] { return workers_stay_few(generations - 1, most); }));
}

TEST(AfterFork, EachGenerationUsesTheWorkersOfTheLast) {
    ASSERT_TRUE(tasks_suspend(4));
    EXPECT_TRUE(workers_stay_few(20, worker_count()));
}

// The members of the forking task's region are needed until its end.
TEST(AfterFork, WorkersOfTheRegionAroundTheForkAreNotReused) {
    Atomic<bool> right{false};
    test::in_parallel(3, [&](Member &member) {
        if (member.num == 0)
            right = holds_in_child([] {
                const unsigned before = worker_count();
                return tasks_suspend(3) && worker_count() >= before;
            });
    });
    EXPECT_TRUE(right);
}

// Their records lie on stacks that the child's new threads reuse.
TEST(AfterFork, TasksOfOthersThatAreBlockedAreForgotten) {
    constexpr int kBlocked = 40;
    Atomic<alpi_task *> blocked[kBlocked] = {};
    Mutex mutex;
    mutex.lock();
    Atomic<int> at_lock{0};
    std::thread other([&] {
        test::in_parallel(kBlocked, [&](Member &member) {
            test::spawn_task([&] {
                ++at_lock;
                mutex.lock();
                mutex.unlock();
            });
            blocked[member.num] = self();
            alpi_task_block(self());
        });
    });
    for (const Atomic<alpi_task *> &task : blocked)
        while (task == nullptr)
            sched_yield();
    for (int round = 0; round < 20; ++round)
        EXPECT_TRUE(holds_in_child([&] {
            bool forgotten = true;
            // The second unblock is lost if the task is not blocked.
            for (const Atomic<alpi_task *> &task : blocked)
                forgotten = forgotten && unblock(task) && !unblock(task);
            return forgotten && tasks_suspend(8) && tasks_block(8) && tasks_suspend(2) &&
                   (mutex.unlock(), tasks_block(3));
        }));
    mutex.unlock();
    for (const Atomic<alpi_task *> &task : blocked)
        unblock(task);
    other.join();
    EXPECT_EQ(at_lock, kBlocked);
}

// They can continue in the child like in the parent.
TEST(AfterFork, TasksOfTheCallingThreadAreThere) {
    test::in_parallel(1, [](Member &) {
        alpi_task *blocked = nullptr;
        int done = 0;
        test::spawn_task([&] {
            blocked = self();
            alpi_task_block(self());
            ++done;
        });
        for (int i = 0; i < 10; ++i)
            test::spawn_task([&] {
                taskyield();
                ++done;
            });
        while (blocked == nullptr)
            taskyield();
        const auto finish = [&] {
            unblock(blocked);
            taskwait();
            return done == 11;
        };
        EXPECT_TRUE(holds_in_child(finish));
        EXPECT_TRUE(finish());
    });
}

/// The calling thread waits in each of its allocations.
thread_local bool allocates_slowly = false;
Atomic<bool> allocates{false};

// The process is copied while the first one is started.
TEST(AfterFork, TheTimersOfOtherThreadsAreNotInTheWay) {
    struct Flag : alpi::Timer {
        Atomic<bool> expired{false};
        bool wait() {
            expire = [](Timer &self) { static_cast<Flag &>(self).expired = true; };
            alpi::start_timer(*this, 1000);
            while (!expired)
                std::this_thread::yield();
            return true;
        }
    };
    std::thread starter([] {
        allocates_slowly = true;
        Flag().wait();
    });
    while (!allocates)
        std::this_thread::yield();
    EXPECT_TRUE(holds_in_child([] { return Flag().wait(); }));
    starter.join();
}

TEST(AfterFork, WhatAnotherThreadMakesIsMade) {
    static MadeOnce<int> made;
    Atomic<bool> begun{false};
    std::thread maker([&] {
        made.get([&] {
            begun = true;
            usleep(100'000); // the process is copied meanwhile
            return 1;
        });
    });
    while (!begun)
        std::this_thread::yield();
    EXPECT_TRUE(holds_in_child([] { return made.get([] { return 2; }) == 1; }));
    maker.join();
    // The unfinished object does not block other objects in the child.
    static MadeOnce<int> other;
    EXPECT_TRUE(holds_in_child([] { return other.get([] { return 3; }) == 3; }));
    EXPECT_EQ(other.get([] { return 4; }), 4);
}

TEST(AfterFork, NumberThatAnotherThreadComputesIsNotAwaited) {
    static constinit FixedOnce number;
    Atomic<bool> begun{false}, ends{false};
    std::thread computes([&] {
        EXPECT_EQ(number.get([&] {
            begun = true;
            while (!ends)
                std::this_thread::yield();
            return std::size_t{1};
        }),
                  2u);
    });
    while (!begun)
        std::this_thread::yield();
    EXPECT_TRUE(holds_in_child([] { return number.get([] { return std::size_t{3}; }) == 3; }));
    EXPECT_FALSE(number.is_fixed());
    EXPECT_EQ(number.get([] { return std::size_t{2}; }), 2u);
    ends = true;
    computes.join(); // it gets the number that was fixed meanwhile
}

} // namespace
} // namespace loomp::core

void *operator new(std::size_t bytes) {
    if (loomp::core::allocates_slowly) {
        loomp::core::allocates = true;
        usleep(100'000);
    }
    return std::malloc(bytes);
}
[[gnu::noinline]] void operator delete(void *memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
