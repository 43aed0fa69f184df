// ALPI as task-aware libraries use it: each function, in every kind of task and outside tasks, and
// each message about misuse.
// link: alpi
#include "loomp/alpi.h"

#include <chrono>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

using std::chrono::milliseconds;
using test::on;

alpi_task *self() {
    alpi_task *task = nullptr;
    EXPECT_EQ(alpi_task_self(&task), ALPI_SUCCESS);
    return task;
}

/// Returns the text that `code` writes on stderr.
template <class F> std::string stderr_of(F code) {
    testing::internal::CaptureStderr();
    code();
    return testing::internal::GetCapturedStderr();
}

bool holds(const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
}

TEST(AlpiQueries, VersionsOfTheSameMajorNumberThatAreNotNewer) {
    int major = 0;
    int minor = 0;
    EXPECT_EQ(alpi_version_get(&major, &minor), ALPI_SUCCESS);
    EXPECT_EQ(major, 1);
    EXPECT_EQ(minor, 2);
    EXPECT_EQ(alpi_version_get(nullptr, &minor), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_version_get(&major, nullptr), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_version_check(1, 0), ALPI_SUCCESS);
    EXPECT_EQ(alpi_version_check(1, 2), ALPI_SUCCESS);
    EXPECT_EQ(alpi_version_check(1, 3), ALPI_ERR_VERSION);
    EXPECT_EQ(alpi_version_check(0, 2), ALPI_ERR_VERSION);
    EXPECT_EQ(alpi_version_check(2, 0), ALPI_ERR_VERSION);
}

TEST(AlpiQueries, AllFeaturesAndNoOthers) {
    for (int feature : {ALPI_FEATURE_BLOCKING, ALPI_FEATURE_EVENTS, ALPI_FEATURE_RESOURCES,
                        ALPI_FEATURE_SUSPEND, ALPI_SUPPORTED_FEATURES, 0})
        EXPECT_EQ(alpi_feature_check(feature), ALPI_SUCCESS);
    EXPECT_EQ(alpi_feature_check(1 << 4), ALPI_ERR_FEATURE_UNKNOWN);
    EXPECT_EQ(alpi_feature_check(ALPI_SUPPORTED_FEATURES | 1 << 20), ALPI_ERR_FEATURE_UNKNOWN);
}

TEST(AlpiQueries, ErrorsHaveTexts) {
    const struct {
        alpi_error_t error;
        const char *text;
    } cases[] = {{ALPI_SUCCESS, "Success"},
                 {ALPI_ERR_VERSION, "The runtime has another version of ALPI"},
                 {ALPI_ERR_NOT_INITIALIZED, "The runtime has not been started"},
                 {ALPI_ERR_PARAMETER, "An argument is not valid here"},
                 {ALPI_ERR_OUT_OF_MEMORY, "There is no memory, or there are no threads, for it"},
                 {ALPI_ERR_OUTSIDE_TASK, "The calling thread is not in a task"},
                 {ALPI_ERR_UNKNOWN, "The runtime cannot do it"},
                 {ALPI_ERR_FEATURE_UNKNOWN, "The runtime lacks a feature, or does not know it"}};
    static_assert(std::size(cases) == ALPI_ERR_MAX);
    for (const auto &c : cases)
        EXPECT_STREQ(alpi_error_string(c.error), c.text);
}

TEST(AlpiQueries, EveryErrorHasAnotherText) {
    std::set<std::string> texts;
    for (int error = 0; error < ALPI_ERR_MAX; ++error)
        EXPECT_TRUE(texts.insert(alpi_error_string(static_cast<alpi_error_t>(error))).second);
    for (int error : {-1, static_cast<int>(ALPI_ERR_MAX), 1000})
        EXPECT_STREQ(alpi_error_string(static_cast<alpi_error_t>(error)),
                     "Error code not recognized");
}

TEST(AlpiQueries, InfoIsCutToFit) {
    char text[64];
    int length = -1;
    EXPECT_EQ(alpi_info_get(ALPI_INFO_RUNTIME_NAME, text, sizeof text, &length), ALPI_SUCCESS);
    EXPECT_STREQ(text, "loomp");
    EXPECT_EQ(length, 5);
    EXPECT_EQ(alpi_info_get(ALPI_INFO_RUNTIME_NAME, text, 3, &length), ALPI_SUCCESS);
    EXPECT_STREQ(text, "lo");
    EXPECT_EQ(length, 2);
    EXPECT_EQ(alpi_info_get(ALPI_INFO_RUNTIME_VENDOR, text, sizeof text, nullptr), ALPI_SUCCESS);
    EXPECT_STREQ(text, "the authors of loomp");
    EXPECT_EQ(alpi_info_get(ALPI_INFO_VERSION, text, sizeof text, nullptr), ALPI_SUCCESS);
    EXPECT_TRUE(holds(text, "ALPI 1.2 (loomp "));
    EXPECT_EQ(alpi_info_get(ALPI_INFO_VERSION, nullptr, 8, nullptr), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_info_get(ALPI_INFO_VERSION, text, 0, nullptr), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_info_get(static_cast<alpi_info_t>(-1), text, 8, nullptr), ALPI_ERR_PARAMETER);
}

TEST(AlpiSelf, EveryTaskHasItsOwnHandle) {
    EXPECT_EQ(alpi_task_self(nullptr), ALPI_ERR_PARAMETER);
    alpi_task *const initial = self();
    EXPECT_NE(initial, nullptr);
    test::in_single(2, [&] {
        alpi_task *const implicit = self();
        EXPECT_NE(implicit, nullptr);
        EXPECT_NE(implicit, initial);
        test::spawn_task([&] {
            EXPECT_NE(self(), nullptr);
            EXPECT_NE(self(), implicit);
        });
        taskwait();
        EXPECT_EQ(self(), implicit);
    });
    EXPECT_EQ(self(), initial);
    std::thread([] { EXPECT_EQ(self(), nullptr); }).join();
}

TEST(AlpiSelf, OutsideOfTasksNothingCanWait) {
    std::thread([] {
        uint64_t value = 0;
        alpi_task *const any = reinterpret_cast<alpi_task *>(&value);
        EXPECT_EQ(alpi_task_block(any), ALPI_ERR_OUTSIDE_TASK);
        EXPECT_EQ(alpi_task_waitfor_ns(1, nullptr), ALPI_ERR_OUTSIDE_TASK);
        EXPECT_EQ(alpi_task_events_increase(any, 1), ALPI_ERR_OUTSIDE_TASK);
        EXPECT_EQ(alpi_task_events_test(any, &value), ALPI_ERR_OUTSIDE_TASK);
        EXPECT_EQ(alpi_task_suspend(any), ALPI_ERR_OUTSIDE_TASK);
        EXPECT_EQ(alpi_task_suspend_mode_set(any, ALPI_SUSPEND_SUBMIT, 0), ALPI_ERR_OUTSIDE_TASK);
        EXPECT_EQ(alpi_cpu_logical_id(&value), ALPI_ERR_OUTSIDE_TASK);
        EXPECT_EQ(alpi_cpu_system_id(&value), ALPI_ERR_OUTSIDE_TASK);
        EXPECT_EQ(alpi_cpu_count(&value), ALPI_SUCCESS);
    }).join();
}

TEST(AlpiSelf, AnotherTasksHandleIsRefused) {
    alpi_task *const initial = self();
    test::in_single(1, [&] {
        uint64_t value = 0;
        EXPECT_EQ(alpi_task_block(initial), ALPI_ERR_PARAMETER);
        EXPECT_EQ(alpi_task_block(nullptr), ALPI_ERR_PARAMETER);
        EXPECT_EQ(alpi_task_unblock(nullptr), ALPI_ERR_PARAMETER);
        EXPECT_EQ(alpi_task_events_increase(initial, 1), ALPI_ERR_PARAMETER);
        EXPECT_EQ(alpi_task_events_test(initial, &value), ALPI_ERR_PARAMETER);
        EXPECT_EQ(alpi_task_events_test(self(), nullptr), ALPI_ERR_PARAMETER);
        EXPECT_EQ(alpi_task_events_decrease(nullptr, 1), ALPI_ERR_PARAMETER);
        EXPECT_EQ(alpi_task_suspend(initial), ALPI_ERR_PARAMETER);
        EXPECT_EQ(alpi_task_suspend_mode_set(initial, ALPI_SUSPEND_SUBMIT, 0), ALPI_ERR_PARAMETER);
    });
}

TEST(AlpiBlock, ManyBlockOnFewThreadsAndAreUnblockedFromOutside) {
    constexpr int n = 2000;
    for (int threads : {1, 2, 4}) {
        std::vector<Atomic<alpi_task *>> blocked(n);
        Atomic<int> gone_on{0};
        std::thread unblocker([&] {
            for (auto &task : blocked) {
                alpi_task *handle;
                while ((handle = task.load()) == nullptr)
                    std::this_thread::yield();
                EXPECT_EQ(alpi_task_unblock(handle), ALPI_SUCCESS);
            }
        });
        test::in_single(threads, [&] {
            for (int i = 0; i < n; ++i)
                test::spawn_task([&, i] {
                    blocked[static_cast<std::size_t>(i)] = self();
                    EXPECT_EQ(alpi_task_block(self()), ALPI_SUCCESS);
                    ++gone_on;
                });
        });
        EXPECT_EQ(gone_on, n);
        unblocker.join();
    }
}

TEST(AlpiBlock, UnblockingMayComeFirst) {
    test::in_single(2, [] {
        for (int i = 0; i < 100; ++i)
            test::spawn_task([] {
                EXPECT_EQ(alpi_task_unblock(self()), ALPI_SUCCESS);
                EXPECT_EQ(alpi_task_block(self()), ALPI_SUCCESS);
            });
    });
    // The initial task can block, too.
    EXPECT_EQ(alpi_task_unblock(self()), ALPI_SUCCESS);
    EXPECT_EQ(alpi_task_block(self()), ALPI_SUCCESS);
}

TEST(AlpiBlock, TheInitialTaskWaits) {
    alpi_task *const task = self();
    std::thread later([task] {
        std::this_thread::sleep_for(milliseconds(5));
        EXPECT_EQ(alpi_task_unblock(task), ALPI_SUCCESS);
    });
    EXPECT_EQ(alpi_task_block(task), ALPI_SUCCESS);
    later.join();
}

TEST(AlpiBlock, ASecondUnblockingIsReported) {
    test::in_single(1, [] {
        EXPECT_EQ(alpi_task_unblock(self()), ALPI_SUCCESS);
        EXPECT_TRUE(
            holds(stderr_of([] { EXPECT_EQ(alpi_task_unblock(self()), ALPI_ERR_PARAMETER); }),
                  "alpi_task_unblock(): called twice for one alpi_task_block(); the second "
                  "is ignored"));
        EXPECT_EQ(alpi_task_block(self()), ALPI_SUCCESS);
    });
}

TEST(AlpiWaitfor, TakesAboutThatLongAndHoldsNoThread) {
    test::in_single(1, [] {
        Atomic<int> waited{0};
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 200; ++i)
            test::spawn_task([&waited] {
                uint64_t actual = 0;
                EXPECT_EQ(alpi_task_waitfor_ns(20'000'000, &actual), ALPI_SUCCESS);
                EXPECT_GE(actual, 20'000'000u);
                ++waited;
            });
        taskwait();
        EXPECT_EQ(waited, 200);
        // In sequence they would take four seconds.
        EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(2000));
    });
}

TEST(AlpiWaitfor, ShorterOnesComeFirst) {
    test::in_single(1, [] {
        std::vector<int> order;
        for (int i = 0; i < 5; ++i)
            test::spawn_task([&order, i] {
                const uint64_t ms = static_cast<uint64_t>((i * 3) % 5) * 20;
                EXPECT_EQ(alpi_task_waitfor_ns(ms * 1'000'000, nullptr), ALPI_SUCCESS);
                order.push_back((i * 3) % 5);
            });
        taskwait();
        EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
    });
}

TEST(AlpiWaitfor, EndsWhileAllThreadsCompute) {
    Atomic<bool> over{false};
    test::in_single(2, [&] {
        Atomic<bool> stop{false};
        test::spawn_task([&] {
            EXPECT_EQ(alpi_task_waitfor_ns(1'000'000, nullptr), ALPI_SUCCESS);
            over = true;
        });
        // The thread that polls resumes it, and it continues when a thread is free.
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - start < milliseconds(20)) {
        }
        taskwait();
        EXPECT_TRUE(over);
    });
    uint64_t actual = 0;
    EXPECT_EQ(alpi_task_waitfor_ns(2'000'000, &actual), ALPI_SUCCESS); // this is the initial task
    EXPECT_GE(actual, 2'000'000u);
    EXPECT_EQ(alpi_task_waitfor_ns(0, &actual), ALPI_SUCCESS);
}

TEST(AlpiEvents, ATaskCompletesWhenTheyAreTakenBack) {
    for (int threads : {1, 2}) {
        Atomic<bool> taken{false};
        std::thread later;
        test::in_single(threads, [&] {
            int data = 0;
            test::spawn_task(
                [&] {
                    uint64_t some = 7;
                    EXPECT_EQ(alpi_task_events_test(self(), &some), ALPI_SUCCESS);
                    EXPECT_EQ(some, 0u);
                    EXPECT_EQ(alpi_task_events_increase(self(), 0), ALPI_SUCCESS);
                    EXPECT_EQ(alpi_task_events_increase(self(), 3), ALPI_SUCCESS);
                    EXPECT_EQ(alpi_task_events_test(self(), &some), ALPI_SUCCESS);
                    EXPECT_EQ(some, 1u);
                    EXPECT_EQ(alpi_task_events_decrease(self(), 1), ALPI_SUCCESS);
                    later = std::thread([&, task = self()] {
                        std::this_thread::sleep_for(milliseconds(5));
                        EXPECT_EQ(alpi_task_events_decrease(task, 0), ALPI_SUCCESS);
                        EXPECT_EQ(alpi_task_events_decrease(task, 1), ALPI_SUCCESS);
                        taken = true;
                        EXPECT_EQ(alpi_task_events_decrease(task, 1), ALPI_SUCCESS);
                    });
                },
                {on(&data, Access::inout)});
            test::spawn_task([&] { EXPECT_TRUE(taken); }, {on(&data, Access::in)});
        });
        later.join();
    }
}

TEST(AlpiEvents, TheRegionsEndWaitsForThoseOfImplicitTasks) {
    for (int threads : {1, 2}) {
        Atomic<int> taken{0};
        std::vector<std::thread> later(static_cast<std::size_t>(threads));
        test::in_parallel(threads, [&](Member &member) {
            for (int round = 0; round < 3; ++round) { // used up and started again
                EXPECT_EQ(alpi_task_events_increase(self(), 2), ALPI_SUCCESS);
                EXPECT_EQ(alpi_task_events_decrease(self(), 2), ALPI_SUCCESS);
            }
            uint64_t some = 0;
            EXPECT_EQ(alpi_task_events_test(self(), &some), ALPI_SUCCESS);
            EXPECT_EQ(some, 0u);
            EXPECT_EQ(alpi_task_events_increase(self(), 1), ALPI_SUCCESS);
            EXPECT_EQ(alpi_task_events_increase(self(), 1), ALPI_SUCCESS);
            EXPECT_EQ(alpi_task_events_test(self(), &some), ALPI_SUCCESS);
            EXPECT_EQ(some, 1u);
            later[static_cast<std::size_t>(member.num)] = std::thread([&taken, task = self()] {
                std::this_thread::sleep_for(milliseconds(5));
                ++taken;
                EXPECT_EQ(alpi_task_events_decrease(task, 2), ALPI_SUCCESS);
            });
        });
        EXPECT_EQ(taken, threads);
        for (std::thread &thread : later)
            thread.join();
    }
}

TEST(AlpiEvents, TheInitialTaskCounts) {
    EXPECT_EQ(alpi_task_events_increase(self(), 1), ALPI_SUCCESS);
    uint64_t some = 0;
    EXPECT_EQ(alpi_task_events_test(self(), &some), ALPI_SUCCESS);
    EXPECT_EQ(some, 1u);
    EXPECT_EQ(alpi_task_events_decrease(self(), 1), ALPI_SUCCESS);
}

TEST(AlpiEvents, MoreThanThereAreAreNotTakenBack) {
    const auto too_many = [] {
        const std::string output =
            stderr_of([] { EXPECT_EQ(alpi_task_events_decrease(self(), 2), ALPI_ERR_PARAMETER); });
        EXPECT_TRUE(holds(output, "more than the events")) << output;
    };
    test::in_single(1, [&] {
        EXPECT_EQ(alpi_task_events_increase(self(), 1), ALPI_SUCCESS);
        too_many();
        EXPECT_EQ(alpi_task_events_decrease(self(), 1), ALPI_SUCCESS);
        too_many();
        test::spawn_task([&] {
            too_many();
            EXPECT_EQ(alpi_task_events_increase(self(), 1), ALPI_SUCCESS);
            too_many();
            EXPECT_EQ(alpi_task_events_decrease(self(), 1), ALPI_SUCCESS);
        });
    });
}

TEST(AlpiEvents, TasksThatCannotCompleteLaterRefuse) {
    const auto refuses = [] {
        const std::string told =
            stderr_of([] { EXPECT_EQ(alpi_task_events_increase(self(), 1), ALPI_ERR_PARAMETER); });
        EXPECT_TRUE(holds(told, "cannot complete later")) << told;
    };
    test::in_single(1, [&] {
        Task &task = test::make_task([&] {
            refuses();
            EXPECT_TRUE(
                holds(stderr_of([] { EXPECT_EQ(alpi_task_suspend(self()), ALPI_ERR_PARAMETER); }),
                      "cannot be run again"));
        });
        run_undeferred(task);
        // A region in a final task is like any other.
        Task &final_task = test::make_task([&] {
            refuses();
            test::in_parallel(1, [&](Member &) {
                EXPECT_EQ(alpi_task_events_increase(self(), 1), ALPI_SUCCESS);
                EXPECT_EQ(alpi_task_events_decrease(self(), 1), ALPI_SUCCESS);
            });
        });
        final_task.flags |= kFinal | kRunsChildrenInline;
        run_undeferred(final_task);
    });
}

TEST(AlpiRunAgain, AtOnceAndAfterATime) {
    for (int threads : {1, 2}) {
        int at_once = 0;
        int after_time = 0;
        int ended = 0;
        test::in_single(threads, [&] {
            test::spawn_task(
                [&] {
                    if (++at_once == 100)
                        return;
                    EXPECT_EQ(alpi_task_suspend_mode_set(self(), ALPI_SUSPEND_SUBMIT,
                                                         static_cast<uint64_t>(at_once & 1)),
                              ALPI_SUCCESS);
                    EXPECT_EQ(alpi_task_suspend(self()), ALPI_SUCCESS);
                },
                {on(&at_once, Access::inout)});
            test::spawn_task([&] { ended += at_once == 100; },
                             {on(&at_once, Access::in), on(&ended, Access::inout)});
            test::spawn_task(
                [&] {
                    if (after_time == 0) {
                        EXPECT_EQ(alpi_task_suspend_mode_set(self(), ALPI_SUSPEND_TIMEOUT_SUBMIT,
                                                             500'000),
                                  ALPI_SUCCESS);
                    }
                    if (++after_time < 10) {
                        EXPECT_EQ(alpi_task_suspend(self()), ALPI_SUCCESS);
                    }
                },
                {on(&after_time, Access::inout)});
            test::spawn_task([&] { ended += after_time == 10; },
                             {on(&after_time, Access::in), on(&ended, Access::inout)});
        });
        EXPECT_EQ(ended, 2);
    }
}

TEST(AlpiRunAgain, WhenUnblockedOrWithoutEvents) {
    for (int threads : {1, 2}) {
        Atomic<alpi_task *> unblock{nullptr};
        Atomic<alpi_task *> take_back{nullptr};
        Atomic<bool> done{false};
        std::thread other([&] {
            while (!done) {
                if (alpi_task *task = unblock.exchange(nullptr)) {
                    EXPECT_EQ(alpi_task_unblock(task), ALPI_SUCCESS);
                }
                if (alpi_task *task = take_back.exchange(nullptr)) {
                    EXPECT_EQ(alpi_task_events_decrease(task, 1), ALPI_SUCCESS);
                }
                std::this_thread::yield();
            }
        });
        int unblocked = 0;
        int events = 0;
        test::in_single(threads, [&] {
            test::spawn_task([&] {
                if (++unblocked == 50)
                    return;
                EXPECT_EQ(alpi_task_suspend(self()), ALPI_SUCCESS); // without a mode
                unblock = self();
            });
            test::spawn_task([&] {
                uint64_t some = 1;
                EXPECT_EQ(alpi_task_events_test(self(), &some), ALPI_SUCCESS);
                EXPECT_EQ(some, 0u);
                if (++events == 50)
                    return;
                EXPECT_EQ(alpi_task_suspend_mode_set(self(), ALPI_SUSPEND_EVENT_SUBMIT, 0),
                          ALPI_SUCCESS);
                EXPECT_EQ(alpi_task_suspend(self()), ALPI_SUCCESS);
                if (events % 7 == 0)
                    return; // nothing to wait for
                EXPECT_EQ(alpi_task_events_increase(self(), 1), ALPI_SUCCESS);
                take_back = self();
            });
        });
        EXPECT_EQ(unblocked, 50);
        EXPECT_EQ(events, 50);
        done = true;
        other.join();
    }
}

TEST(AlpiRunAgain, ImplicitTasksAndUnknownModesRefuse) {
    test::in_single(1, [] {
        EXPECT_TRUE(
            holds(stderr_of([] { EXPECT_EQ(alpi_task_suspend(self()), ALPI_ERR_PARAMETER); }),
                  "cannot be run again"));
        test::spawn_task([] {
            EXPECT_EQ(alpi_task_suspend_mode_set(self(), static_cast<alpi_suspend_mode_t>(9), 0),
                      ALPI_ERR_PARAMETER);
        });
    });
}

TEST(AlpiSpawn, RunsInAndOutsideOfRegionsAndCallsBack) {
    struct Spawned {
        Atomic<int> runs{0};
        Atomic<int> completed{0};
        Atomic<alpi_task *> waits{nullptr};
    } spawned;
    const auto spawn_one = [&spawned] {
        EXPECT_EQ(alpi_task_spawn(
                      [](void *argument) {
                          auto &s = *static_cast<Spawned *>(argument);
                          ++s.runs;
                          EXPECT_NE(self(), nullptr);
                          EXPECT_EQ(alpi_task_waitfor_ns(100'000, nullptr), ALPI_SUCCESS);
                          // The event comes before its handle, because another thread may fulfil it
                          // at once.
                          EXPECT_EQ(alpi_task_events_increase(self(), 1), ALPI_SUCCESS);
                          s.waits = self();
                      },
                      &spawned,
                      [](void *argument) { ++static_cast<Spawned *>(argument)->completed; },
                      &spawned, "spawned", nullptr),
                  ALPI_SUCCESS);
    };
    const auto let_it_complete = [&spawned](int number) {
        alpi_task *task;
        while ((task = spawned.waits.exchange(nullptr)) == nullptr)
            std::this_thread::yield();
        EXPECT_EQ(spawned.completed, number - 1);
        EXPECT_EQ(alpi_task_events_decrease(task, 1), ALPI_SUCCESS);
        while (spawned.completed != number)
            EXPECT_EQ(alpi_task_waitfor_ns(100'000, nullptr), ALPI_SUCCESS);
    };
    spawn_one();
    let_it_complete(1);
    test::in_single(1, [&] {
        spawn_one();
        let_it_complete(2);
    });
    EXPECT_EQ(spawned.runs, 2);
    EXPECT_EQ(alpi_task_spawn(
                  nullptr, nullptr, [](void *) {}, nullptr, nullptr, nullptr),
              ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_task_spawn([](void *) {}, nullptr, nullptr, nullptr, nullptr, nullptr),
              ALPI_ERR_PARAMETER);
}

/// Polls as TAMPI does: a spawned function runs repeatedly until it is told to stop.
TEST(AlpiSpawn, ManyPollersFromManyThreads) {
    struct Polling {
        Atomic<int> polls{0};
        Atomic<bool> stop{false};
        Atomic<bool> stopped{false};
    };
    constexpr int n = 8;
    std::vector<Polling> pollings(n);
    std::vector<std::thread> threads;
    for (Polling &polling : pollings)
        threads.emplace_back([&polling] {
            EXPECT_EQ(alpi_task_spawn(
                          [](void *argument) {
                              auto &p = *static_cast<Polling *>(argument);
                              if (p.stop)
                                  return;
                              ++p.polls;
                              EXPECT_EQ(alpi_task_suspend_mode_set(
                                            self(), ALPI_SUSPEND_TIMEOUT_SUBMIT, 100'000),
                                        ALPI_SUCCESS);
                              EXPECT_EQ(alpi_task_suspend(self()), ALPI_SUCCESS);
                          },
                          &polling,
                          [](void *argument) { static_cast<Polling *>(argument)->stopped = true; },
                          &polling, nullptr, nullptr),
                      ALPI_SUCCESS);
        });
    for (std::thread &thread : threads)
        thread.join();
    for (Polling &polling : pollings) {
        while (polling.polls < 20)
            EXPECT_EQ(alpi_task_waitfor_ns(100'000, nullptr), ALPI_SUCCESS);
        polling.stop = true;
        while (!polling.stopped)
            EXPECT_EQ(alpi_task_waitfor_ns(100'000, nullptr), ALPI_SUCCESS);
    }
}

TEST(AlpiSpawn, AttributesAreMadeByTheRuntimeOrInTheUsersMemory) {
    alpi_attr *attributes = nullptr;
    EXPECT_EQ(alpi_attr_create(&attributes), ALPI_SUCCESS);
    Atomic<bool> completed{false};
    EXPECT_EQ(alpi_task_spawn([](void *) {}, nullptr,
                              [](void *done) { *static_cast<Atomic<bool> *>(done) = true; },
                              &completed, "with attributes", attributes),
              ALPI_SUCCESS);
    while (!completed)
        std::this_thread::yield();
    EXPECT_EQ(alpi_attr_init(attributes), ALPI_SUCCESS);
    EXPECT_EQ(alpi_attr_destroy(attributes), ALPI_SUCCESS);
    uint64_t size = 0;
    EXPECT_EQ(alpi_attr_size(&size), ALPI_SUCCESS);
    std::vector<uint64_t> memory((size + 7) / 8 + 1);
    auto *mine = reinterpret_cast<alpi_attr *>(memory.data());
    EXPECT_EQ(alpi_task_spawn([](void *) {}, nullptr, [](void *) {}, nullptr, nullptr, mine),
              ALPI_ERR_PARAMETER); // not initialized
    EXPECT_EQ(alpi_attr_destroy(mine), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_attr_init(mine), ALPI_SUCCESS);
    EXPECT_EQ(alpi_attr_create(nullptr), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_attr_destroy(nullptr), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_attr_init(nullptr), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_attr_size(nullptr), ALPI_ERR_PARAMETER);
}

TEST(AlpiResources, ThreadsHaveDifferentNumbersBelowTheCount) {
    uint64_t count = 0;
    EXPECT_EQ(alpi_cpu_count(&count), ALPI_SUCCESS);
    EXPECT_EQ(alpi_cpu_count(nullptr), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_cpu_logical_id(nullptr), ALPI_ERR_PARAMETER);
    EXPECT_EQ(alpi_cpu_system_id(nullptr), ALPI_ERR_PARAMETER);
    ASSERT_GE(count, 1u);
    const int threads = static_cast<int>(count);
    std::vector<Atomic<int>> users(count);
    test::in_parallel(threads, [&](Member &) {
        uint64_t number = count;
        uint64_t processor = 0;
        EXPECT_EQ(alpi_cpu_logical_id(&number), ALPI_SUCCESS);
        EXPECT_EQ(alpi_cpu_system_id(&processor), ALPI_SUCCESS);
        ASSERT_LT(number, count);
        EXPECT_EQ(users[number].fetch_add(1), 0);
    });
    Atomic<int> refused{0};
    const std::string output = stderr_of([&] {
        test::in_parallel(threads + 3, [&](Member &) {
            uint64_t number = 0;
            refused += alpi_cpu_logical_id(&number) == ALPI_ERR_UNKNOWN;
        });
    });
    EXPECT_EQ(refused, 3);
    EXPECT_TRUE(holds(output, "more threads ask")) << output;
}

} // namespace
} // namespace loomp::core
