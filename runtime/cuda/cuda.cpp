// libloomp-cuda (include/loomp/loomp_cuda.h), on loomp's public interface: tasks wait for CUDA's
// streams, events and graphs; a poller queries events.
//
// Owner of a Waiting: its maker until it is left to the poller, then the poller until it is done.
// It lies on the stack of a suspended task. For a held task it comes from malloc(), and the poller
// frees it.
#include "loomp/loomp_cuda.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <utility>

#include "loomp/loomp.h"
#include "platform/system_mutex.h"
#include "platform/threads.h"

#define LOOMP_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using Stream = CUstream_st *;
using Event = CUevent_st *;
using Graph = CUgraphExec_st *;

// The driver's numbers.
constexpr int kNotInitialized = 3;
constexpr int kNotSupported = 801;
constexpr int kNotReady = 600;
constexpr unsigned kWithoutTimes = 2; // an event that takes no times

struct Driver {
    int (*create_event)(Event *, unsigned) = nullptr;
    int (*record)(Event, Stream) = nullptr;
    int (*query)(Event) = nullptr;
    int (*synchronize)(Event) = nullptr;
    int (*destroy_event)(Event) = nullptr;
    int (*get_context)(void **) = nullptr;
    int (*set_context)(void *) = nullptr;
    int (*get_error_string)(int, const char **) = nullptr;
    int (*launch_graph)(Graph, Stream) = nullptr; ///< null: this driver lacks it
};

void *open_driver() {
    // The program's own library comes first.
    for (const int mode : {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW})
        for (const char *name : {"libcuda.so.1", "libcuda.so"})
            if (void *library = dlopen(name, mode))
                return library;
    return nullptr;
}

template <class F> bool find(F &function, void *library, const char *name) {
    function = reinterpret_cast<F>(dlsym(library, name));
    return function != nullptr;
}

/// Returns null if there is no driver.
const Driver *load_driver() {
    static Driver driver;
    void *library = open_driver();
    const bool whole = library != nullptr && find(driver.create_event, library, "cuEventCreate") &&
                       find(driver.record, library, "cuEventRecord") &&
                       find(driver.query, library, "cuEventQuery") &&
                       find(driver.synchronize, library, "cuEventSynchronize") &&
                       find(driver.destroy_event, library, "cuEventDestroy_v2") &&
                       find(driver.get_context, library, "cuCtxGetCurrent") &&
                       find(driver.set_context, library, "cuCtxSetCurrent") &&
                       find(driver.get_error_string, library, "cuGetErrorString");
    if (!whole) {
        std::fputs("loomp: loomp_cuda_*(): there is no CUDA driver (libcuda.so.1): install "
                   "NVIDIA's, or name its folder in LD_LIBRARY_PATH\n",
                   stderr);
        return nullptr;
    }
    (void)find(driver.launch_graph, library, "cuGraphLaunch");
    return &driver;
}
const Driver *driver() {
    static const Driver *const loaded = load_driver();
    return loaded;
}

/// Sets the calling thread's context during this object's life.
class InContext {
  public:
    explicit InContext(void *wanted) {
        changed_ = driver()->get_context(&before_) == 0 && before_ != wanted &&
                   driver()->set_context(wanted) == 0;
    }
    ~InContext() {
        if (changed_)
            (void)driver()->set_context(before_);
    }
    InContext(const InContext &) = delete;
    InContext &operator=(const InContext &) = delete;

  private:
    void *before_ = nullptr;
    bool changed_ = false;
};

struct Waiting {
    Event event = nullptr;
    bool destroys = false; ///< the event, which the program does not know
    void *context = nullptr;
    int result = 0;
    loomp_suspension_t done = LOOMP_SUSPENSION_INIT;
    loomp_held_task_t *held = nullptr; ///< this object is from malloc() if not null
    Waiting *next = nullptr;

    /// Returns whether the event has happened, or an error occurred.
    bool is_over() {
        const InContext in(context);
        result = driver()->query(event);
        return result != kNotReady;
    }
    void give_event_back() const {
        if (!destroys)
            return;
        const InContext in(context);
        (void)driver()->destroy_event(event);
    }
    /// Frees the object or returns it to its task; do not use it afterwards.
    void finish();
};

void tell_failure(int error) {
    const char *text = nullptr;
    (void)driver()->get_error_string(error, &text);
    std::fprintf(
        stderr,
        "loomp: a task was bound to an event of CUDA's, and its device reports an error: %s (%d)\n",
        text != nullptr ? text : "unknown", error);
}

void Waiting::finish() {
    give_event_back();
    if (held == nullptr) {
        loomp_resume(&done);
        return;
    }
    if (result != 0)
        tell_failure(result);
    loomp_held_task_t *task = held;
    std::free(this);
    loomp_release_task(task, 1);
}

loomp::SystemMutex lock; ///< guards the arrivals
Waiting *arrivals = nullptr;
Waiting *polled = nullptr; ///< the poller owns it
[[maybe_unused]] const int watches_forks =
    loomp::handle_forks([] { lock.lock(); }, [] { lock.unlock(); },
                        [] {
                            arrivals = polled = nullptr;
                            lock.unlock();
                        });

int poll(void *) {
    Waiting *come;
    {
        const std::lock_guard guard(lock);
        come = std::exchange(arrivals, nullptr);
    }
    while (come != nullptr) {
        Waiting *next = come->next;
        come->next = std::exchange(polled, come);
        come = next;
    }
    int found = 0;
    for (Waiting **at = &polled; *at != nullptr;) {
        Waiting &waiting = **at;
        if (waiting.is_over()) {
            *at = waiting.next;
            waiting.finish();
            ++found;
        } else {
            at = &waiting.next;
        }
    }
    return found;
}

/// Returns null if there are too many pollers.
loomp_poller_t *poller() {
    static loomp_poller_t *const registered = loomp_poller_register("cuda", poll, nullptr);
    return registered;
}

void leave_to_poller(Waiting &waiting) {
    loomp_poller_expect(poller(), 1);
    const std::lock_guard guard(lock);
    waiting.next = std::exchange(arrivals, &waiting);
}

/// Returns whether the event is over while the thread has nothing else to do.
bool is_over_soon(Waiting &waiting) {
    constexpr int looks = 200;
    if (waiting.is_over())
        return true;
    for (int look = 0; look < looks && loomp_would_idle() != 0; ++look)
        if (waiting.is_over())
            return true;
    return false;
}

int wait(Waiting &waiting) {
    if (loomp_in_task() == 0 || poller() == nullptr) {
        const int result = driver()->synchronize(waiting.event);
        waiting.give_event_back();
        return result;
    }
    if (is_over_soon(waiting)) {
        waiting.give_event_back();
        return waiting.result;
    }
    leave_to_poller(waiting);
    loomp_suspend(&waiting.done);
    return waiting.result;
}

int bind(Waiting &waiting) {
    if (waiting.is_over()) {
        waiting.give_event_back();
        return waiting.result;
    }
    loomp_held_task_t *task = poller() != nullptr ? loomp_hold_task(1) : nullptr;
    void *memory = task != nullptr ? std::malloc(sizeof(Waiting)) : nullptr;
    if (memory == nullptr) {
        if (task != nullptr)
            loomp_release_task(task, 1);
        return wait(waiting);
    }
    auto *bound = new (memory) Waiting(waiting);
    bound->held = task;
    leave_to_poller(*bound);
    return 0;
}

int with_event(Event event, int (*then)(Waiting &)) {
    if (driver() == nullptr)
        return kNotInitialized;
    Waiting waiting;
    waiting.event = event;
    if (const int error = driver()->get_context(&waiting.context))
        return error;
    return then(waiting);
}

/// Calls `then` with an event for everything that is in the stream by now.
int with_stream(Stream stream, int (*then)(Waiting &)) {
    if (driver() == nullptr)
        return kNotInitialized;
    Waiting waiting;
    waiting.destroys = true;
    if (const int error = driver()->get_context(&waiting.context))
        return error;
    if (const int error = driver()->create_event(&waiting.event, kWithoutTimes))
        return error;
    if (const int error = driver()->record(waiting.event, stream)) {
        waiting.give_event_back();
        return error;
    }
    return then(waiting);
}

} // namespace

LOOMP_EXPORT int loomp_cuda_wait_stream(Stream stream) { return with_stream(stream, wait); }
LOOMP_EXPORT int loomp_cuda_wait_event(Event event) { return with_event(event, wait); }
LOOMP_EXPORT int loomp_cuda_bind_stream(Stream stream) { return with_stream(stream, bind); }
LOOMP_EXPORT int loomp_cuda_bind_event(Event event) { return with_event(event, bind); }

LOOMP_EXPORT int loomp_cuda_run_graph(Graph graph, Stream stream) {
    if (driver() == nullptr)
        return kNotInitialized;
    if (driver()->launch_graph == nullptr)
        return kNotSupported;
    if (const int error = driver()->launch_graph(graph, stream))
        return error;
    return loomp_cuda_wait_stream(stream);
}
