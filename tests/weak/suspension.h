// Suspended tasks for the pieces that suspend: each thread of the model is a worker with one task,
// which sleeps while it is suspended. suspend() and make_resumable() hand over as those of
// runtime/core/scheduling/suspend.cpp, by the order of a list's lock.
#pragma once

#include "model.h"

#include "runtime/core/scheduling/resume.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::weak {

constexpr int kMostWorkers = 4;
/// The pieces use a few fields of these objects: all are zero at first.
alignas(core::Worker) inline char worker_memory[kMostWorkers][sizeof(core::Worker)];
alignas(core::Member) inline char member_memory[kMostWorkers][sizeof(core::Member)];
alignas(core::Team) inline char team_memory[sizeof(core::Team)];
inline int errors[kMostWorkers];

inline core::Worker &worker_of(int thread) {
    return reinterpret_cast<core::Worker &>(worker_memory[thread]);
}

/// Each execution begins with it: every worker has a member, as if it were alone in its team.
inline void prepare_workers() {
    std::memset(worker_memory, 0, sizeof worker_memory);
    std::memset(member_memory, 0, sizeof member_memory);
    std::memset(team_memory, 0, sizeof team_memory);
    auto &team = reinterpret_cast<core::Team &>(team_memory);
    team.size = 1;
    for (int i = 0; i < kMostWorkers; ++i) {
        auto &member = reinterpret_cast<core::Member &>(member_memory[i]);
        member.team = &team;
        worker_of(i).member = &member;
        worker_of(i).error = &errors[i];
    }
}

inline Atomic<int> may_continue[kMostWorkers];

} // namespace loomp::weak

namespace loomp::core {

LOOMP_THREAD_LOCAL Worker *Worker::current_ = nullptr;
Worker *Worker::attach_thread() { return &weak::worker_of(weak::thread_number()); }

void suspend(Suspension &suspension, ArmFn arm, void *argument, Task *) {
    const int self = weak::thread_number();
    suspension.left_from = &weak::worker_of(self);
    if (!arm(argument))
        return;
    while (weak::may_continue[self].exchange(0, std::memory_order_acquire) == 0)
        weak::sleep_until_woken();
}

void make_resumable(Suspension &suspension) {
    int thread = 0;
    while (&weak::worker_of(thread) != suspension.left_from)
        ++thread;
    WEAK_CHECK(weak::may_continue[thread].exchange(1, std::memory_order_release) == 0);
    weak::wake(thread);
}

} // namespace loomp::core
