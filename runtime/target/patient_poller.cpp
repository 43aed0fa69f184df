// A thread for operations whose query may block: libomptarget frees device memory in the query, and
// drivers wait for an idle device to do so. The thread queries some ten thousand times a second
// while there are such operations, and sleeps otherwise.
#include "runtime/target/operations_in_flight.h"

#include <algorithm>
#include <new>

#include "platform/clock.h"
#include "platform/locks_at_fork.h"
#include "platform/system_mutex.h"
#include "platform/threads.h"
#include "runtime/target/library_lifetime.h"

namespace loomp::target {

namespace {

constexpr long kShortestSleep = 20'000; // nanoseconds
constexpr long kLongestSleep = 100'000;

// Without destructors: the thread may outlast them.
constinit SystemMutex mutex; ///< guards what follows
constinit ConditionVariable arrival;
PendingQueue arrivals;
bool started = false;
const core::LocksAtFork at_fork([] {
    new (&mutex) SystemMutex;
    new (&arrival) ConditionVariable;
    new (&arrivals) PendingQueue;
    started = false;
});

/// Returns how many completed.
int poll_all(PendingQueue &polled, int size) {
    const Entry entry;
    return entry ? polled.poll(size) : 0;
}

void *poll_for_ever(void *) {
    name_this_thread("loomp-stand-in");
    PendingQueue polled;
    int size = 0;
    long sleep = kShortestSleep;
    for (;;) {
        {
            std::unique_lock lock(mutex);
            while (size == 0 && arrivals.empty())
                arrival.wait(lock);
            for (; !arrivals.empty(); ++size)
                polled.push(arrivals.pop());
        }
        const int found = poll_all(polled, size);
        size -= found;
        sleep = found != 0 ? kShortestSleep : std::min(2 * sleep, kLongestSleep);
        if (size != 0)
            core::pause_for(sleep);
    }
}

/// The caller holds the mutex. Returns false if the system refuses a thread.
bool start() {
    started = started || start_thread(poll_for_ever, nullptr) == 0;
    return started;
}

} // namespace

void leave_to_patient_poller(Pending &operation) {
    std::unique_lock lock(mutex);
    const bool taken = start();
    if (taken)
        arrivals.push(operation);
    lock.unlock();
    if (taken)
        arrival.notify_one();
    else
        leave_to_poller(operation);
}

} // namespace loomp::target
