// A thread that queries operations where the query may be held up: libomptarget gives memory of the
// device back then, for which drivers wait until the device has nothing to do. It looks some ten
// thousand times a second while there are such operations, and sleeps otherwise.
#include "runtime/target/operations_in_flight.h"

#include <algorithm>
#include <ctime>
#include <new>
#include <pthread.h>

#include "platform/locks_at_fork.h"
#include "platform/threads.h"
#include "runtime/target/library_lifetime.h"

namespace loomp::target {

namespace {

constexpr long kShortestSleep = 20'000; // nanoseconds
constexpr long kLongestSleep = 100'000;

// Without destructors: the thread may outlast them.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; ///< guards what follows
pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;
PendingQueue arrivals;
bool started = false;
const core::LocksAtFork at_fork([] {
    mutex = PTHREAD_MUTEX_INITIALIZER;
    arrival = PTHREAD_COND_INITIALIZER;
    new (&arrivals) PendingQueue;
    started = false;
});

/// Returns how many have completed.
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
        pthread_mutex_lock(&mutex);
        while (size == 0 && arrivals.empty())
            pthread_cond_wait(&arrival, &mutex);
        for (; !arrivals.empty(); ++size)
            polled.push(arrivals.pop());
        pthread_mutex_unlock(&mutex);
        const int found = poll_all(polled, size);
        size -= found;
        sleep = found != 0 ? kShortestSleep : std::min(2 * sleep, kLongestSleep);
        const timespec time{0, sleep};
        if (size != 0)
            nanosleep(&time, nullptr);
    }
}

/// With the mutex held. False: there is no thread to be had.
bool start() {
    started = started || start_thread(poll_for_ever, nullptr) == 0;
    return started;
}

} // namespace

void leave_to_patient_poller(Pending &operation) {
    pthread_mutex_lock(&mutex);
    const bool taken = start();
    if (taken)
        arrivals.push(operation);
    pthread_mutex_unlock(&mutex);
    if (taken)
        pthread_cond_signal(&arrival);
    else
        leave_to_poller(operation);
}

} // namespace loomp::target
