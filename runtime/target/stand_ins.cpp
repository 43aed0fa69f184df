#include "runtime/target/stand_ins.h"

#include <new>

#include "platform/common.h"
#include "platform/locks_at_fork.h"
#include "platform/system_mutex.h"
#include "platform/threads.h"
#include "runtime/core/worker/worker.h"

namespace loomp::target {

namespace {

/// More threads would not make a device faster.
constexpr int kMost = 8;

// Without destructors: the threads may outlast them.
constinit SystemMutex mutex; ///< guards what follows
constinit ConditionVariable given;
StandInCall *first = nullptr;
StandInCall **last = &first;
int queued = 0;
int idle = 0; ///< threads that will look at the list
int count = 0;

const core::LocksAtFork at_fork([] {
    new (&mutex) SystemMutex;
    new (&given) ConditionVariable;
    first = nullptr;
    last = &first;
    queued = idle = count = 0;
});

LOOMP_THREAD_LOCAL bool stands_in = false;

void *serve(void *) {
    stands_in = true;
    name_this_thread("loomp-stand-in");
    std::unique_lock lock(mutex);
    for (;;) {
        while (first == nullptr)
            given.wait(lock);
        StandInCall &call = *first;
        first = call.next;
        if (first == nullptr)
            last = &first;
        --queued;
        --idle;
        lock.unlock();
        call.make(call); // it is gone from here on
        // It may have a worker now, for which there is nothing to do.
        if (core::Worker *worker = core::Worker::current_or_null())
            worker->rest.begin();
        lock.lock();
        ++idle;
    }
}

/// The caller holds the mutex.
bool add_thread() {
    if (start_thread(serve, nullptr) != 0)
        return false;
    ++idle;
    ++count;
    return true;
}

} // namespace

bool give_to_stand_in(StandInCall &call) {
    std::unique_lock lock(mutex);
    call.next = nullptr; // if the call is given again, its stand-in read it under the lock
    const bool served = idle > queued || (count < kMost && add_thread()) || count > 0;
    if (served) {
        *last = &call;
        last = &call.next;
        ++queued;
    }
    lock.unlock();
    if (served)
        given.notify_one();
    return served;
}

LOOMP_NOINLINE bool is_stand_in() { return stands_in; }

} // namespace loomp::target
