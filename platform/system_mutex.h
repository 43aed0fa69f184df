// Locks of the system by loomp's own names: a thread that waits for one sleeps, and runs no task
// meanwhile. A build that simulates the machine can put its own in their place. They have the
// interfaces of the standard library's classes.
//
// SystemMutex and ConditionVariable run no code to be made or destroyed, so static ones are ready
// before any constructor runs, and threads of loomp may wait for them until the process has ended.
#pragma once

#include <mutex>
#include <pthread.h>
#include <type_traits>

#include "platform/clock.h"

namespace loomp {

using SystemMutex = std::mutex;
using RecursiveSystemMutex = std::recursive_mutex;
using OnceFlag = std::once_flag;
using std::call_once;

/// std::condition_variable has a destructor.
class ConditionVariable {
  public:
    void wait(std::unique_lock<SystemMutex> &lock) {
        pthread_cond_wait(&condition_, lock.mutex()->native_handle());
    }
    /// Until `time` at the latest: nanoseconds of the monotonic clock.
    void wait_until(std::unique_lock<SystemMutex> &lock, std::int64_t time) {
        const timespec until = core::timespec_of(time);
        pthread_cond_clockwait(&condition_, lock.mutex()->native_handle(), CLOCK_MONOTONIC, &until);
    }
    void notify_one() { pthread_cond_signal(&condition_); }
    void notify_all() { pthread_cond_broadcast(&condition_); }

  private:
    pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
};

static_assert(std::is_trivially_destructible_v<SystemMutex> &&
              std::is_trivially_destructible_v<ConditionVariable>);

} // namespace loomp
