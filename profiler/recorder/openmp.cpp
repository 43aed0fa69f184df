// libloomp-record: an OMPT tool that records the tasks of any OpenMP runtime.
//
// A runtime loads it if OMP_TOOL_LIBRARIES names it; `loomp trace` sets that. It records to the
// folder LOOMP_TRACE_DIR.
#include <atomic>
#include <cstdio>
#include <dlfcn.h>
#include <utility>

#include "loomp/omp-tools.h"
#include "platform/diagnostics.h"
#include "profiler/recorder/control.h"
#include "profiler/recorder/counters.h"
#include "profiler/recorder/device_events.h"
#include "profiler/recorder/labels.h"
#include "profiler/recorder/openmp.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/region_events.h"

namespace loomp::record {

std::uint64_t name_of(ompt_data_t *data) {
    if (data == nullptr)
        return 0;
    if (data->value == 0)
        data->value = buffer().new_name();
    return data->value;
}

namespace {

bool may_be_unrecorded_child() { return wanted(kForked) || !is_owner(); }

/// Regions and tasks share one set of names.
void parallel_begin(ompt_data_t * /*encountering*/, const ompt_frame_t * /*frame*/,
                    ompt_data_t *parallel, unsigned /*requested*/, int /*flags*/,
                    const void *code) {
    if (may_be_unrecorded_child()) [[unlikely]]
        record_child();
    if (!wanted_ever(kRegions))
        return;
    parallel->value = buffer().new_name();
    buffer().add(Event::region, now(), parallel->value, reinterpret_cast<std::uintptr_t>(code), 0);
}

void work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t * /*parallel*/,
          ompt_data_t *task, std::uint64_t /*count*/, const void *code) {
    // Tasks of a taskloop are recorded as tasks. In `single`, the other threads do nothing.
    if (!wanted(kRegions) || kind == ompt_work_taskloop || kind == ompt_work_single_other)
        return;
    const std::uint64_t name = name_of(task);
    if (is_implicit(name))
        buffer().add(endpoint == ompt_scope_begin ? Event::work_begin : Event::work_end, now(),
                     name, reinterpret_cast<std::uintptr_t>(code),
                     static_cast<std::uint32_t>(kind));
}

void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                   unsigned /*team size*/, unsigned /*index*/, int flags) {
    if (endpoint == ompt_scope_end) {
        buffer().add(Event::implicit_end, now(), name_of(task), 0,
                     static_cast<std::uint32_t>(flags));
        return;
    }
    task->value = buffer().new_implicit_name();
    const std::uint64_t region =
        parallel != nullptr && (flags & ompt_task_initial) == 0 ? parallel->value : 0;
    buffer().add(Event::implicit_begin, now(), task->value, region,
                 static_cast<std::uint32_t>(flags));
}

constinit std::atomic<ompt_get_parallel_info_t> parallel_info{nullptr};

/// libomp calls all tasks of a team of one thread undeferred; `parallel_info` is null on loomp.
int flags_of(int flags) {
    const auto ask = parallel_info.load(std::memory_order_relaxed);
    ompt_data_t *data = nullptr;
    int size = 0;
    if ((flags & ompt_task_undeferred) != 0 && ask != nullptr && ask(0, &data, &size) == 2 &&
        size == 1)
        flags &= ~ompt_task_undeferred;
    return flags;
}

void task_create(ompt_data_t * /*encountering*/, const ompt_frame_t * /*frame*/,
                 ompt_data_t *created, int flags, int /*has dependences*/, const void *code) {
    if (may_be_unrecorded_child()) [[unlikely]]
        record_child();
    created->value = buffer().new_name();
    // A taskwait's wait is no task of the program's: clang's undeferred tasks begin with one.
    const std::uint32_t label = (flags & ompt_task_taskwait) != 0 ? 0 : take_label();
    if (!wanted(kTasks))
        return;
    const std::uint64_t time = now();
    if (wanted(kCpuTime)) [[unlikely]]
        add_counters(time);
    buffer().add(Event::create, time, created->value, reinterpret_cast<std::uintptr_t>(code),
                 static_cast<std::uint32_t>(flags_of(flags)) | label << kLabelShift);
}

void dependences(ompt_data_t *task, const ompt_dependence_t *items, int count) {
    if (!wanted(kDependences))
        return;
    const std::uint64_t time = now();
    const std::uint64_t name = name_of(task);
    for (int i = 0; i < count; ++i)
        buffer().add(Event::dependence, time, name,
                     reinterpret_cast<std::uintptr_t>(items[i].variable.ptr),
                     items[i].dependence_type);
}

/// The thread's current task waits for a mutex.
struct MutexWait {
    std::uint64_t since = 0; ///< 0: it does not wait
    const void *code = nullptr;
    ompt_mutex_t kind = {};
};
thread_local constinit MutexWait mutex_wait;

/// The task has the mutex, or leaves its thread while it waits: then it is suspended from now on,
/// and the thread on which it gets the mutex knows of no wait. A task that gets a mutex soon has
/// not waited. `task` returns the task's name. A wait's begin is recorded with its end; other
/// records may lie between the two times if the thread of an implicit task polls, and the reader
/// then takes the wait to begin after those.
template <typename Task> void end_mutex_wait(std::uint64_t time, Task task) {
    constexpr std::uint64_t kSoon = 1000; // ns
    const std::uint64_t since = std::exchange(mutex_wait.since, 0);
    if (time - since < kSoon) [[likely]]
        return;
    const std::uint64_t name = task();
    if (name == 0)
        return;
    const auto address = reinterpret_cast<std::uintptr_t>(mutex_wait.code);
    const std::uint32_t what = kMutexWait | static_cast<std::uint32_t>(mutex_wait.kind);
    buffer().add(Event::wait_begin, since, name, address, what);
    if (wanted(kCpuTime)) [[unlikely]]
        add_counters(time);
    buffer().add(Event::wait_end, time, name, address, what);
}

void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    // A single test if neither pauses nor counters are used.
    const std::uint32_t what = wanted_now.load(std::memory_order_relaxed) & (kTasks | kCounters);
    if (what == 0) {
        mutex_wait.since = 0;
        return;
    }
    const std::uint64_t from = name_of(prior);
    const std::uint64_t time = now();
    if (mutex_wait.since != 0) [[unlikely]]
        end_mutex_wait(time, [from] { return from; });
    if (what != kTasks) [[unlikely]]
        add_counters(time);
    buffer().add(Event::schedule, time, from, name_of(next), status);
}

void wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t * /*parallel*/,
          ompt_data_t *task, const void *code) {
    if (!wanted(kWaits))
        return;
    const std::uint64_t time = now();
    if (wanted(kCpuTime)) [[unlikely]]
        add_counters(time);
    buffer().add(endpoint == ompt_scope_begin ? Event::wait_begin : Event::wait_end, time,
                 name_of(task), reinterpret_cast<std::uintptr_t>(code), kind);
}

void mutex_acquire(ompt_mutex_t kind, unsigned /*hint*/, unsigned /*implementation*/,
                   ompt_wait_id_t /*mutex*/, const void *code) {
    mutex_wait.since = 0;
    if (!wanted(kMutexes) || kind == ompt_mutex_atomic || kind == ompt_mutex_test_lock ||
        kind == ompt_mutex_test_nest_lock)
        return;
    const std::uint64_t time = now();
    if (wanted(kCpuTime)) [[unlikely]]
        add_counters(time);
    mutex_wait = {time, code, kind};
}

void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t mutex, const void * /*code*/) {
    if (!wanted(kMutexes) || kind == ompt_mutex_atomic)
        return;
    const std::uint64_t time = now();
    if (mutex_wait.since != 0)
        end_mutex_wait(time, current_task);
    buffer().add(Event::mutex_acquired, time, mutex, 0, 0);
}

void mutex_released(ompt_mutex_t kind, ompt_wait_id_t mutex, const void * /*code*/) {
    if (wanted(kMutexes) && kind != ompt_mutex_atomic)
        buffer().add(Event::mutex_released, now(), mutex, 0, 0);
}

/// The task has the lock already.
void nest_lock(ompt_scope_endpoint_t /*endpoint*/, ompt_wait_id_t /*mutex*/,
               const void * /*code*/) {
    mutex_wait.since = 0;
}

/// A new lock may have the address of an old one.
void lock_init(ompt_mutex_t /*kind*/, unsigned /*hint*/, unsigned /*implementation*/,
               ompt_wait_id_t mutex, const void * /*code*/) {
    if (wanted(kMutexes))
        buffer().add(Event::mutex_made, now(), mutex, 0, 0);
}

/// This callback is loomp's extension of the standard.
void task_deleted(ompt_data_t *task) {
    if (wanted(kDeletions) && task->value != 0)
        buffer().add(Event::deleted, now(), task->value, 0, 0);
}

template <typename Callback>
void listen(ompt_set_callback_t set, ompt_callbacks_t event, Callback callback) {
    set(event, reinterpret_cast<ompt_callback_t>(callback));
}

/// The runtime's functions; null before it begins and after it ends.
constinit std::atomic<ompt_get_task_info_t> task_info{nullptr};

int initialize(ompt_function_lookup_t lookup, int /*device*/, ompt_data_t * /*data*/) {
    const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
    if (set == nullptr)
        return 0;
    task_info = reinterpret_cast<ompt_get_task_info_t>(lookup("ompt_get_task_info"));
    if (lookup("loomp_set_task_deleted") == nullptr)
        parallel_info =
            reinterpret_cast<ompt_get_parallel_info_t>(lookup("ompt_get_parallel_info"));
    if (const auto prefer = lookup("loomp_prefer_outlined_functions"))
        prefer();
    listen(set, ompt_callback_implicit_task, implicit_task);
    if (wanted_ever(kRegions)) {
        listen(set, ompt_callback_parallel_begin, parallel_begin);
        listen(set, ompt_callback_work, work);
    }
    listen(set, ompt_callback_task_create, task_create);
    listen(set, ompt_callback_dependences, dependences);
    listen(set, ompt_callback_task_schedule, task_schedule);
    listen(set, ompt_callback_sync_region_wait, wait);
    if (wanted_ever(kMutexes)) {
        listen(set, ompt_callback_mutex_acquire, mutex_acquire);
        listen(set, ompt_callback_mutex_acquired, mutex_acquired);
        listen(set, ompt_callback_mutex_released, mutex_released);
        listen(set, ompt_callback_nest_lock, nest_lock);
        listen(set, ompt_callback_lock_init, lock_init);
    }
    if (wanted_ever(kDevices))
        listen_to_devices(set, lookup);
    if (wanted_ever(kDeletions)) {
        using Set = void (*)(void (*)(ompt_data_t *));
        if (const auto ask = reinterpret_cast<Set>(lookup("loomp_set_task_deleted")))
            ask(task_deleted);
        else
            core::warn("recording: this OpenMP runtime does not tell of deletions "
                       "of tasks");
    }
    return 1;
}

void finalize(ompt_data_t * /*data*/) {
    task_info = nullptr;
    parallel_info = nullptr;
    append_maps();
}

} // namespace

std::uint64_t current_task() {
    const auto ask = task_info.load(std::memory_order_relaxed);
    ompt_data_t *task = nullptr;
    int flags = 0;
    if (ask == nullptr || ask(0, &flags, &task, nullptr, nullptr, nullptr) == 0)
        return 0;
    return name_of(task);
}

} // namespace loomp::record

/// A tool that the program brings along comes before the recorder, although `loomp trace` preloads
/// this library.
extern "C" LOOMP_SHARED ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version,
                                                                  const char *runtime) {
    using namespace loomp::record;
    const auto next =
        reinterpret_cast<decltype(&ompt_start_tool)>(dlsym(RTLD_NEXT, "ompt_start_tool"));
    if (ompt_start_tool_result_t *own = next != nullptr ? next(omp_version, runtime) : nullptr)
        return own;
    if (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr) {
        static std::atomic_flag reported = ATOMIC_FLAG_INIT;
        if (!reported.test_and_set(std::memory_order_relaxed))
            loomp::core::warn("recording: no tasks: ThreadSanitizer needs Archer as the "
                              "program's tool; record a program without it");
        return nullptr;
    }
    if (!begin())
        return nullptr;
    char line[512];
    const int size = std::snprintf(line, sizeof line, "%s %s\n", kRuntimeKey,
                                   runtime != nullptr ? runtime : "?");
    append(kInfoFile, line, static_cast<std::size_t>(size));
    static ompt_start_tool_result_t result{initialize, finalize, {}};
    return &result;
}
