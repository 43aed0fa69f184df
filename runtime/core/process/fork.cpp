#include <new>

#include "platform/locks_at_fork.h"
#include "platform/made_once.h"
#include "platform/threads.h"
#include "runtime/core/process/runtime.h"
#include "runtime/core/regions/teams.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

/// Visits the same locks in the parent and in the child.
void visit(LocksAtFork::Each each) {
    LocksAtFork::visit_all(each);
    if (Worker *worker = Worker::current_or_null())
        visit_list_locks(*worker, each);
}

void before() {
    making.lock();
    visit([](SpinLock &lock) { lock.lock(); });
}

void release_locks() {
    visit([](SpinLock &lock) { lock.unlock(); });
}

void in_parent() {
    release_locks();
    making.unlock();
}

void in_child() {
    release_locks();
    new (&making) RecursiveSystemMutex; // this thread held it in the parent
    LocksAtFork::make_anew();
    if (Worker *worker = Worker::current_or_null())
        drop_teams_after_fork(*worker);
}

} // namespace

void watch_forks() { handle_forks(before, in_parent, in_child); }

} // namespace loomp::core
