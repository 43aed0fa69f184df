// Independent tasks. They run on a separate thread, which the first one starts, in a region of one
// thread that lasts as long as the process. Each is the child of a task that waits for it and then
// calls the function that reports its completion.
#include <cstdlib>
#include <new>
#include <utility>

#include "loomp/alpi.h"
#include "loomp/loomp.h"
#include "platform/export.h"
#include "platform/system_mutex.h"
#include "platform/threads.h"
#include "runtime/alpi/openmp_calls.h"

/// The target of an attributes' handle.
struct alpi_attr {
    std::uint64_t initialized;
};

namespace {

constexpr std::uint64_t kInitialized = 0x616c70692e6c6f6f;

struct Request {
    void (*body)(void *);
    void *argument;
    void (*completed)(void *);
    void *completed_argument;
    Request *next;
};

struct Requests {
    loomp::SystemMutex lock; ///< guards the list and the thread's start
    Request *first = nullptr;
    Request **last = &first;
    bool has_thread = false;
    /// A thread that finds the list empty resumes it; so this happens once each time the list
    /// becomes empty.
    loomp_suspension_t arrival = LOOMP_SUSPENSION_INIT;
} requests;

Request *take_all() {
    const std::lock_guard guard(requests.lock);
    requests.last = &requests.first;
    return std::exchange(requests.first, nullptr);
}

void run(Request *request) {
#pragma omp task firstprivate(request)
    request->body(request->argument);
#pragma omp taskwait
    request->completed(request->completed_argument);
    std::free(request);
}

/// Runs for ever: creates tasks, and is suspended otherwise.
void create_tasks() {
    for (;;) {
        loomp_suspend(&requests.arrival);
        Request *request = take_all();
        while (request != nullptr) {
            Request *next = request->next;
#pragma omp task firstprivate(request)
            run(request);
            request = next;
        }
    }
}

/// Unbinds the thread, because the thread that started it may be bound to a place.
void use_all_places() {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int place = 0; place < omp_get_num_places(); ++place) {
        const int count = omp_get_place_num_procs(place);
        auto *ids = static_cast<int *>(std::malloc(sizeof(int) * static_cast<std::size_t>(count)));
        if (ids == nullptr)
            return;
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; ++i)
            CPU_SET(static_cast<std::size_t>(ids[i]), &all);
        std::free(ids);
    }
    if (CPU_COUNT(&all) > 0)
        loomp::set_processors(&all, sizeof all);
}

void *thread_main(void *) {
    use_all_places();
#pragma omp parallel num_threads(1)
    create_tasks();
    return nullptr;
}

/// The child of fork() has none of its parent's independent tasks.
[[maybe_unused]] const int watches_forks =
    loomp::handle_forks(nullptr, nullptr, [] { new (&requests) Requests; });

} // namespace

LOOMP_EXPORT int alpi_attr_create(alpi_attr **attr) {
    if (attr == nullptr)
        return ALPI_ERR_PARAMETER;
    *attr = static_cast<alpi_attr *>(std::malloc(sizeof(alpi_attr)));
    return *attr == nullptr ? ALPI_ERR_OUT_OF_MEMORY : alpi_attr_init(*attr);
}

LOOMP_EXPORT int alpi_attr_destroy(alpi_attr *attr) {
    if (attr == nullptr || attr->initialized != kInitialized)
        return ALPI_ERR_PARAMETER;
    attr->initialized = 0;
    std::free(attr);
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_attr_init(alpi_attr *attr) {
    if (attr == nullptr)
        return ALPI_ERR_PARAMETER;
    attr->initialized = kInitialized;
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_attr_size(uint64_t *attr_size) {
    if (attr_size == nullptr)
        return ALPI_ERR_PARAMETER;
    *attr_size = sizeof(alpi_attr);
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_task_spawn(void (*body)(void *), void *body_args,
                                 void (*completion_callback)(void *), void *completion_args,
                                 const char *, const alpi_attr *attr) {
    if (body == nullptr || completion_callback == nullptr ||
        (attr != nullptr && attr->initialized != kInitialized))
        return ALPI_ERR_PARAMETER;
    void *memory = std::malloc(sizeof(Request));
    if (memory == nullptr)
        return ALPI_ERR_OUT_OF_MEMORY;
    auto *request =
        new (memory) Request{body, body_args, completion_callback, completion_args, nullptr};
    const std::lock_guard guard(requests.lock);
    if (!requests.has_thread && loomp::start_thread(thread_main, nullptr) != 0) {
        std::free(request);
        return ALPI_ERR_OUT_OF_MEMORY;
    }
    requests.has_thread = true;
    const bool was_empty = requests.first == nullptr;
    *requests.last = request;
    requests.last = &request->next;
    if (was_empty)
        loomp_resume(&requests.arrival);
    return ALPI_SUCCESS;
}
