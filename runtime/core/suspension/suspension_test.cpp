// The rule of suspension as a property of random programs. A task runs on top of another's frames
// only if the lower one waits for it. Each task records the stack on which it started and the tasks
// below it.
// again: few_stacks GTEST_FILTER=Suspension.OnlyTheWaitedForRunOnTop LOOMP_MAX_STACKS=3
// again: one_stack GTEST_FILTER=Suspension.OnlyTheWaitedForRunOnTop LOOMP_MAX_STACKS=1
#include "runtime/core/scheduling/suspend.h"

#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "platform/system_mutex.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/scheduling/spawning.h"
#include "runtime/core/scheduling/task_signal.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/scheduling/waiting.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

enum class Waiting { no, taskwait, taskgroup, undeferred };

struct Node {
    Node *parent = nullptr;
    Waiting waiting = Waiting::no;
};

SystemMutex frames_lock;
/// The unfinished tasks on each stack, lowest first.
std::map<const void *, std::vector<Node *>> frames;

const void *stack_here() {
    const Worker &worker = *Worker::current();
    return worker.stack != nullptr ? static_cast<const void *>(worker.stack) : &worker;
}

bool waits_for(const Node &below, const Node &above) {
    switch (below.waiting) {
    case Waiting::no:
        return false;
    case Waiting::taskwait:
    case Waiting::undeferred:
        return above.parent == &below;
    case Waiting::taskgroup:
        for (const Node *node = &above; node != nullptr; node = node->parent)
            if (node->parent == &below)
                return true;
        return false;
    }
    return false;
}

void enter(Node &node) {
    const std::lock_guard<SystemMutex> guard(frames_lock);
    std::vector<Node *> &stack = frames[stack_here()];
    if (!stack.empty()) {
        EXPECT_TRUE(waits_for(*stack.back(), node))
            << "on top of a task that waits by " << static_cast<int>(stack.back()->waiting);
    }
    stack.push_back(&node);
}

void leave(Node &node) {
    const std::lock_guard<SystemMutex> guard(frames_lock);
    std::vector<Node *> &stack = frames[stack_here()];
    ASSERT_FALSE(stack.empty());
    EXPECT_EQ(stack.back(), &node); // no task above is unfinished, and we are on our own stack
    stack.pop_back();
}

/// Records for which tasks a wait is.
template <class F> void waiting(Node &node, Waiting kind, F wait) {
    {
        const std::lock_guard<SystemMutex> guard(frames_lock);
        node.waiting = kind;
    }
    wait();
    const std::lock_guard<SystemMutex> guard(frames_lock);
    node.waiting = Waiting::no;
}

struct Program {
    Atomic<int> live{0};
    Atomic<int> started{0};
    bool yields = true;
};

void body(Program &program, Node &me, unsigned seed, int depth);

void create(Program &program, Node &me, unsigned seed, int depth, bool undeferred) {
    ++program.live;
    auto code = [&program, parent = &me, seed, depth] {
        auto node = std::make_unique<Node>();
        node->parent = parent;
        enter(*node);
        const Worker &before = *Worker::current();
        const bool tied = before.task->has(kTied);
        body(program, *node, seed, depth);
        if (tied) {
            EXPECT_EQ(&before, Worker::current());
        }
        // Descendants may outlive it and name it as their parent, so it waits for all of them.
        waiting(*node, Waiting::taskwait, [] { taskwait(); });
        leave(*node);
        --program.live;
    };
    const std::uint32_t flags = seed % 3 == 0 ? 0u : std::uint32_t{kTied};
    Task &task = test::make_task(code, flags);
    if (undeferred)
        waiting(me, Waiting::undeferred, [&] { run_undeferred(task); });
    else
        spawn(*Worker::current(), task);
}

void body(Program &program, Node &me, unsigned seed, int depth) {
    std::minstd_rand random(seed + 1);
    ++program.started;
    volatile int local[16];
    for (int i = 0; i < 16; ++i)
        local[i] = static_cast<int>(seed) + i;
    for (int steps = static_cast<int>(random() % 5); steps > 0; --steps) {
        switch (random() % 6) {
        case 0:
        case 1:
            if (depth > 0)
                create(program, me, static_cast<unsigned>(random()), depth - 1, false);
            break;
        case 2:
            waiting(me, Waiting::taskwait, [] { taskwait(); });
            break;
        case 3:
            if (program.yields)
                taskyield();
            break;
        case 4:
            if (depth > 0)
                create(program, me, static_cast<unsigned>(random()), depth - 1, true);
            break;
        default: {
            begin_taskgroup();
            if (depth > 0)
                for (int i = static_cast<int>(random() % 3); i >= 0; --i)
                    create(program, me, static_cast<unsigned>(random()), depth - 1, false);
            waiting(me, Waiting::taskgroup, [] { end_taskgroup(); });
        }
        }
    }
    for (int i = 0; i < 16; ++i)
        EXPECT_EQ(local[i], static_cast<int>(seed) + i);
}

TEST(Suspension, OnlyTheWaitedForRunOnTop) {
    for (int threads : {1, 2, 3, 5})
        for (unsigned round = 0; round < 60; ++round) {
            Program program;
            {
                const std::lock_guard<SystemMutex> guard(frames_lock);
                frames.clear();
            }
            test::in_parallel(threads, [&](Member &member) {
                auto root = std::make_unique<Node>();
                enter(*root);
                for (unsigned i = 0; i < 4; ++i)
                    create(program, *root, round * 64 + i * 8 + static_cast<unsigned>(member.num),
                           5, false);
                waiting(*root, Waiting::taskwait, [] { taskwait(); });
                leave(*root);
            });
            ASSERT_EQ(program.live, 0) << "threads " << threads << " round " << round;
            ASSERT_FALSE(HasFailure()) << "threads " << threads << " round " << round;
        }
}

/// The seconds for which the calling thread has had a processor.
double processor_seconds() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST(ResumeList, KnowsWhetherItHoldsWorkWithoutALookAtItsEntries) {
    constexpr int kLoops = 20000;
    std::vector<Suspension> loops(kLoops);
    ResumeList list;
    EXPECT_FALSE(list.holds_work());
    for (Suspension &loop : loops) {
        loop.looks_for_work = true;
        list.push(loop);
    }
    // It takes some 10 s if each wake-up examines every entry.
    const double start = processor_seconds();
    for (int i = 0; i < 200000; ++i)
        ASSERT_FALSE(list.holds_work());
    EXPECT_LT(processor_seconds() - start, 1);
    Suspension work;
    list.push(work);
    EXPECT_TRUE(list.holds_work());
    EXPECT_EQ(list.pop(), &work);
    EXPECT_FALSE(list.holds_work());
    for (int i = kLoops; i-- > 0;)
        EXPECT_EQ(list.pop(), &loops[static_cast<std::size_t>(i)]);
    EXPECT_EQ(list.pop(), nullptr);
}

TEST(ResumeList, LoopsHaveTheirTurnWhereOthersOnlyYieldToEachOther) {
    ResumeList list;
    Suspension loop;
    loop.looks_for_work = true;
    list.push(loop);
    std::vector<Suspension> others(2);
    for (Suspension &other : others)
        list.push(other);
    int pops = 1;
    for (Suspension *next = list.pop(); next != &loop; next = list.pop(), ++pops) {
        ASSERT_LT(pops, 100);
        list.push(*next);
    }
}

TEST(Suspension, FarMoreTasksWaitThanThereAreThreads) {
    constexpr int kTasks = 500;
    for (int threads : {1, 3}) {
        Atomic<int> waiting_now{0}, most{0};
        std::vector<Atomic<bool>> done(kTasks + 1);
        done[kTasks] = true;
        test::in_single(threads, [&] {
            for (int i = 0; i < kTasks; ++i)
                test::spawn_task([&, i] {
                    most = std::max(most.load(), ++waiting_now);
                    // Each task needs the next one, so this would never end on a stack of waiting
                    // tasks.
                    while (!done[static_cast<std::size_t>(i) + 1])
                        taskyield();
                    --waiting_now;
                    done[static_cast<std::size_t>(i)] = true;
                });
        });
        EXPECT_TRUE(done[0]);
        EXPECT_EQ(waiting_now, 0);
    }
}

TEST(Suspension, ResumedByAThreadOutsideTheTeam) {
    for (int round = 0; round < 100; ++round) {
        Atomic<int> gone_on{0};
        std::vector<Suspension *> list;
        SystemMutex lock;
        std::thread outsider;
        test::in_single(2, [&] {
            outsider = std::thread([&] {
                for (int resumed = 0; resumed < 20;) {
                    std::vector<Suspension *> now;
                    {
                        const std::lock_guard<SystemMutex> guard(lock);
                        now.swap(list);
                    }
                    for (Suspension *suspension : now)
                        make_resumable(*suspension);
                    resumed += static_cast<int>(now.size());
                    std::this_thread::yield();
                }
            });
            for (int i = 0; i < 20; ++i)
                test::spawn_task(
                    [&] {
                        Suspension self;
                        struct Argument {
                            Suspension &self;
                            std::vector<Suspension *> &list;
                            SystemMutex &lock;
                        } argument{self, list, lock};
                        suspend(
                            self,
                            [](void *p) {
                                auto &a = *static_cast<Argument *>(p);
                                const std::lock_guard<SystemMutex> guard(a.lock);
                                a.list.push_back(&a.self);
                                return true;
                            },
                            &argument);
                        ++gone_on;
                    },
                    i % 2 ? std::uint32_t{kTied} : 0u);
        });
        outsider.join();
        ASSERT_EQ(gone_on, 20);
    }
}

TEST(Suspension, ArmingThatFindsTheConditionTrueGoesOnAtOnce) {
    test::in_single(2, [] {
        for (int i = 0; i < 1000; ++i)
            test::spawn_task([] {
                Suspension self;
                const Worker &before = *Worker::current();
                suspend(self, [](void *) { return false; }, nullptr);
                EXPECT_EQ(&before, Worker::current());
            });
    });
}

TEST(Suspension, ASignalBeforeTheWaitIsNotLost) {
    TaskSignal signal;
    EXPECT_TRUE(signal.signal());
    EXPECT_FALSE(signal.signal()); // it has been signalled already
    Atomic<bool> passed{false};
    Atomic<bool> again{false};
    test::in_single(2, [&] {
        test::spawn_task([&] {
            signal.wait();
            passed = true;
            signal.wait(); // it is empty again
            again = true;
        });
        const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!passed && std::chrono::steady_clock::now() < late)
            std::this_thread::yield();
        EXPECT_TRUE(passed);
        EXPECT_TRUE(signal.signal());
    });
    EXPECT_TRUE(again);
}

/// The waiting thread has enough tasks of its own, and the other thread is busy.
TEST(Suspension, ATaskThatCanGoOnComesBeforeTheRestOfThoseWaitedFor) {
    constexpr int n = 32;
    for (const bool in_group : {false, true}) {
        int ran = 0;
        int when = n;
        Atomic<bool> busy{false};
        Atomic<bool> over{false};
        TaskSignal go_on;
        test::in_single(2, [&] {
            test::spawn_task([&] {
                busy = true;
                while (!over)
                    std::this_thread::yield();
            });
            while (!busy)
                std::this_thread::yield();
            test::spawn_task([&] {
                go_on.wait();
                when = ran;
            });
            taskyield();
            if (in_group)
                begin_taskgroup();
            for (int i = 0; i < n; ++i)
                test::spawn_task([&] {
                    if (++ran == 1)
                        go_on.signal();
                    if (ran == n)
                        over = true;
                });
            if (in_group)
                end_taskgroup();
            else
                taskwait();
        });
        EXPECT_LT(when, n) << (in_group ? "taskgroup" : "taskwait");
    }
}

} // namespace
} // namespace loomp::core
