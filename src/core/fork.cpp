#include "core/fork.h"

#include <pthread.h>

#include "core/block.h"
#include "core/crowding.h"
#include "core/independent.h"
#include "core/lock_waiters.h"
#include "core/poller.h"
#include "core/team.h"
#include "core/thread.h"
#include "core/timer.h"
#include "core/worker.h"

namespace loomp::core {

constinit const LocksAtFork *LocksAtFork::first_ = nullptr;

LocksAtFork::LocksAtFork(Visit visit, void (*in_child)())
    : visit_(visit), in_child_(in_child), next_(first_) {
    first_ = this;
}

void LocksAtFork::visit_all(Each each) {
    for (const LocksAtFork *locks = first_; locks != nullptr; locks = locks->next_)
        locks->visit_(each);
}

void LocksAtFork::make_anew() {
    for (const LocksAtFork *locks = first_; locks != nullptr; locks = locks->next_)
        if (locks->in_child_ != nullptr)
            locks->in_child_();
}

namespace {

/// In the parent and in the child, the same ones.
void visit(LocksAtFork::Each each) {
    LocksAtFork::visit_all(each);
    if (Worker *worker = Worker::current_or_null())
        visit_list_locks(*worker, each);
}

void before() {
    visit([](SpinLock &lock) { lock.lock(); });
}

void in_parent() {
    visit([](SpinLock &lock) { lock.unlock(); });
}

void in_child() {
    in_parent();
    LocksAtFork::make_anew();
    forget_workers_after_fork();
    forget_threads_after_fork();
    forget_active_threads_after_fork();
    forget_pollers_after_fork();
    forget_timers_after_fork();
    forget_independent_after_fork();
    forget_blocked_after_fork();
    forget_lock_waiters_after_fork();
    if (Worker *worker = Worker::current_or_null())
        drop_teams_after_fork(*worker);
}

} // namespace

void watch_forks() { pthread_atfork(before, in_parent, in_child); }

} // namespace loomp::core
