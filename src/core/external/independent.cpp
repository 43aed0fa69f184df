#include "core/external/independent.h"

#include <atomic>
#include <climits>
#include <mutex>
#include <new>
#include <pthread.h>

#include "core/base/common.h"
#include "core/base/diagnostics.h"
#include "core/base/pages.h"
#include "core/base/quiet_threads.h"
#include "core/base/reversed.h"
#include "core/environment/settings.h"
#include "core/environment/topology.h"
#include "core/external/timer.h"
#include "core/regions/parallel.h"
#include "core/scheduling/spawning.h"
#include "core/scheduling/task_signal.h"
#include "core/scheduling/waiting.h"
#include "core/team/team.h"

namespace loomp::core {

namespace {

struct Request {
    IndependentTask what;
    Request *next;
};

/// Those that the thread has not seen yet, the last one first.
std::atomic<Request *> requests{nullptr};
/// Signalled by whoever finds the list empty, so once for each time that the thread empties it.
TaskSignal arrival;

std::mutex start_lock; ///< guards the thread's start
bool started = false;

template <class F> void spawn_child(F body) {
    Worker &worker = *Worker::current();
    Task &task = *allocate_task(worker, *worker.task, sizeof(F), kTied);
    new (task.payload()) F(body);
    task.invoke = [](Task &self) { (*static_cast<F *>(self.payload()))(); };
    LOOMP_TOOL(task_create, task, false);
    spawn(worker, task);
}

void run(Request *request) {
    const IndependentTask what = request->what;
    delete request;
    spawn_child([what] { what.body(what.argument); });
    taskwait();
    what.completed(what.completed_argument);
}

/// The implicit task of the thread's region, which never ends: it creates tasks, and is suspended
/// otherwise.
void create_tasks(void *, Member &) {
    for (;;) {
        arrival.wait();
        // acquire: their contents; release: whoever finds the list empty may signal again.
        Request *in_order = reversed(requests.exchange(nullptr, std::memory_order_acq_rel));
        while (in_order != nullptr) {
            Request *request = in_order;
            in_order = request->next;
            spawn_child([request] { run(request); });
        }
    }
}

void *thread_main(void *) {
    // Not where the thread that started it happened to be bound.
    bind_current_thread(available_processor_ids());
    (void)Worker::current();
    keep_time();
    ParallelRequest request;
    request.num_threads = 1;
    request.body = create_tasks;
    parallel(request);
    return nullptr;
}

bool start_thread() {
    const std::lock_guard<std::mutex> guard(start_lock);
    if (started)
        return true;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (settings().stack_size >= static_cast<std::size_t>(PTHREAD_STACK_MIN))
        pthread_attr_setstacksize(&attributes, round_up(settings().stack_size, page_size()));
    const QuietThreads quiet;
    pthread_t thread;
    started = pthread_create(&thread, &attributes, thread_main, nullptr) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

} // namespace

bool spawn_independent(const IndependentTask &what) {
    auto *request = new (std::nothrow) Request{what, nullptr};
    if (request == nullptr || !start_thread()) {
        delete request;
        return false;
    }
    Request *before = requests.load(std::memory_order_relaxed);
    do {
        request->next = before;
        // release: the contents; acquire: with it, the thread's last wait is over. In the list the
        // request is the thread's, and may be gone.
    } while (!requests.compare_exchange_weak(before, request, std::memory_order_acq_rel,
                                             std::memory_order_relaxed));
    if (before == nullptr)
        arrival.signal();
    return true;
}

void forget_independent_after_fork() {
    new (&start_lock) std::mutex;
    new (&arrival) TaskSignal;
    requests.store(nullptr, std::memory_order_relaxed);
    started = false;
}

} // namespace loomp::core
