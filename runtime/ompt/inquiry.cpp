// The entry points of the lookup function: queries of a tool to the runtime (OpenMP 5.2, 19.6).
#include <cstring>

#include "platform/threads.h"
#include "runtime/core/environment/places.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/memory/task_memory.h"
#include "runtime/ompt/ompt.h"
#include "runtime/target/device_operation.h"
#include "runtime/target/libomptarget.h"

namespace loomp::ompt {

core::Relaxed<ompt_callback_t> callbacks[kEvents];

namespace {

// --- Enumerations --------------------------------------------------------------------------------

struct Named {
    int value;
    const char *name;
};

#define LOOMP_NAMED(name) {name, #name}
/// Starts with the undefined state, because a tool passes it to get the first one.
constexpr Named kStates[] = {
    LOOMP_NAMED(ompt_state_undefined),
    LOOMP_NAMED(ompt_state_work_serial),
    LOOMP_NAMED(ompt_state_work_parallel),
    LOOMP_NAMED(ompt_state_work_reduction),
    LOOMP_NAMED(ompt_state_wait_barrier_implicit_parallel),
    LOOMP_NAMED(ompt_state_wait_barrier_implicit_workshare),
    LOOMP_NAMED(ompt_state_wait_barrier_explicit),
    LOOMP_NAMED(ompt_state_wait_barrier_implementation),
    LOOMP_NAMED(ompt_state_wait_barrier_teams),
    LOOMP_NAMED(ompt_state_wait_taskwait),
    LOOMP_NAMED(ompt_state_wait_taskgroup),
    LOOMP_NAMED(ompt_state_wait_lock),
    LOOMP_NAMED(ompt_state_wait_critical),
    LOOMP_NAMED(ompt_state_wait_atomic),
    LOOMP_NAMED(ompt_state_wait_ordered),
    LOOMP_NAMED(ompt_state_idle),
    LOOMP_NAMED(ompt_state_overhead),
};
#undef LOOMP_NAMED
/// All locks have one implementation; a tool passes "none" to get the first one.
constexpr Named kMutexImplementations[] = {{0, "loomp_mutex_impl_none"},
                                           {1, "loomp_mutex_impl_spin_futex"}};

template <std::size_t N>
int enumerate(const Named (&list)[N], int current, int *next, const char **name) {
    for (std::size_t i = 0; i + 1 < N; ++i)
        if (list[i].value == current) {
            *next = list[i + 1].value;
            *name = list[i + 1].name;
            return 1;
        }
    return 0;
}

int enumerate_states(int current, int *next, const char **name) {
    return enumerate(kStates, current, next, name);
}
int enumerate_mutex_impls(int current, int *next, const char **name) {
    return enumerate(kMutexImplementations, current, next, name);
}

// --- Callbacks -----------------------------------------------------------------------------------

ompt_set_result_t support_of(ompt_callbacks_t event) {
    switch (event) {
    case ompt_callback_thread_begin:
    case ompt_callback_thread_end:
    case ompt_callback_parallel_begin:
    case ompt_callback_parallel_end:
    case ompt_callback_task_create:
    case ompt_callback_task_schedule:
    case ompt_callback_implicit_task:
    case ompt_callback_control_tool:
    case ompt_callback_sync_region:
    case ompt_callback_sync_region_wait:
    case ompt_callback_mutex_acquire:
    case ompt_callback_mutex_acquired:
    case ompt_callback_mutex_released:
    case ompt_callback_lock_init:
    case ompt_callback_lock_destroy:
    case ompt_callback_nest_lock:
    case ompt_callback_dependences:
    case ompt_callback_work:
    case ompt_callback_masked:
    case ompt_callback_flush:
    case ompt_callback_cancel:
    case ompt_callback_dispatch:
    case ompt_callback_error:
        return ompt_set_always;
    // If the tool requests it while it starts, compiled code never reduces with atomic operations,
    // whose end the runtime does not see (tool_sees_reductions). Archer needs this answer: with a
    // weaker one it has ThreadSanitizer ignore accesses in barriers, per stack, and counts wrong
    // when a task that waits leaves its stack.
    case ompt_callback_reduction:
        return core::tool_sees_reductions || !core::tool_enabled ? ompt_set_always
                                                                 : ompt_set_sometimes_paired;
    // Edges are reported one at a time only if the tool requests this while it starts.
    case ompt_callback_task_dependence:
        return core::tool_enabled && !core::tool_sees_edges ? ompt_set_never : ompt_set_sometimes;
    // Kept for libomptarget, which requests them when it connects.
    case ompt_callback_target:
    case ompt_callback_target_data_op:
    case ompt_callback_target_submit:
    case ompt_callback_target_map:
    case ompt_callback_target_emi:
    case ompt_callback_target_data_op_emi:
    case ompt_callback_target_submit_emi:
    case ompt_callback_target_map_emi:
    case ompt_callback_device_initialize:
    case ompt_callback_device_finalize:
    case ompt_callback_device_load:
    case ompt_callback_device_unload:
        return ompt_set_sometimes;
    default:
        return ompt_set_error;
    }
}

ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
    const ompt_set_result_t support = support_of(event);
    if (support >= ompt_set_sometimes)
        callbacks[event] = callback;
    if (event == ompt_callback_task_dependence && support == ompt_set_sometimes &&
        callback != nullptr)
        core::tool_sees_edges = true;
    if (event == ompt_callback_reduction && callback != nullptr && !core::tool_enabled)
        core::tool_sees_reductions = true;
    return support;
}

int get_callback(ompt_callbacks_t event, ompt_callback_t *callback) {
    const ompt_set_result_t support = support_of(event);
    if (support < ompt_set_sometimes || callbacks[event] == nullptr)
        return 0;
    *callback = callbacks[event];
    return 1;
}

// --- Threads, regions, tasks
// -----------------------------------------------------------------------

ompt_data_t *get_thread_data() {
    Worker *worker = Worker::current_or_null();
    return worker != nullptr && !tool_declined ? data_of(worker->tool_data) : nullptr;
}

int get_state(ompt_wait_id_t *wait_id) {
    const Worker *worker = Worker::current_or_null();
    if (wait_id != nullptr)
        *wait_id = 0;
    if (worker == nullptr)
        return ompt_state_undefined;
    const Task *task = task_of(*worker);
    if (task == nullptr)
        return ompt_state_idle;
    if (task->tool == nullptr) // no tool callback was set when it began
        return work_state(*task->team);
    if (wait_id != nullptr)
        *wait_id = task->tool->wait_id;
    return task->tool->state;
}

/// Returns the member in which the running task works, `level` teams outwards.
Member *member_at(int level) {
    const Worker *worker = Worker::current_or_null();
    Member *member = worker != nullptr ? worker->member : nullptr;
    for (; member != nullptr && level > 0; --level)
        member = member->team->parent;
    return level < 0 ? nullptr : member;
}

int get_parallel_info(int level, ompt_data_t **data, int *size) {
    const Member *member = member_at(level);
    if (member == nullptr || tool_declined)
        return 0;
    if (data != nullptr)
        *data = data_of(member->team->tool_data);
    if (size != nullptr)
        *size = member->team->size;
    return 2;
}

/// Returns the ancestor in stack order: the task on whose frames `task` was started, or the one
/// that met the region.
Task *outer_task(const Task &task) {
    if (task.has(core::kImplicit))
        return task.team->parent_task;
    return task.tool != nullptr ? task.tool->below : task.parent;
}

/// libomp reports such a task as undeferred, because its thread runs it at once; tools expect that.
bool is_implicit_of_region(const Task &task) { return flags_of(task) == ompt_task_implicit; }

int get_task_info(int level, int *flags, ompt_data_t **data, ompt_frame_t **frame,
                  ompt_data_t **parallel_data, int *thread_num) {
    const Worker *worker = Worker::current_or_null();
    if (level < 0 || worker == nullptr || tool_declined)
        return 0;
    const Task *task = task_of(*worker);
    const Member *member = worker->member;
    for (; task != nullptr && level > 0; --level) {
        if (task->has(core::kImplicit) && member != nullptr)
            member = member->team->parent;
        task = outer_task(*task);
    }
    if (task == nullptr || member == nullptr)
        return 0;
    if (flags != nullptr)
        *flags = flags_of(*task) | (is_implicit_of_region(*task) ? ompt_task_undeferred : 0);
    if (data != nullptr)
        *data = data_of(*task);
    if (frame != nullptr)
        *frame = frame_of(*task);
    if (parallel_data != nullptr)
        *parallel_data = data_of(task->team->tool_data);
    if (thread_num != nullptr)
        *thread_num = member->num;
    return 2;
}

/// Returns the running task's captured and private variables, laid out by the compiler in one
/// block.
int get_task_memory(void **address, std::size_t *size, int block) {
    const Worker *worker = Worker::current_or_null();
    Task *task = worker != nullptr ? task_of(*worker) : nullptr;
    *address = nullptr;
    *size = 0;
    if (task == nullptr || task->has(core::kImplicit) || block != 0)
        return 0;
    *address = task->payload();
    *size = core::size_of_class(task->size_class) - sizeof(Task);
    return 0; // no more blocks
}

// --- Places and processors
// -------------------------------------------------------------------------

int get_num_procs() { return static_cast<int>(core::processors_now()); }
int get_num_places() { return static_cast<int>(core::places().size()); }

int get_place_proc_ids(int place, int size, int *ids) {
    const auto &places = core::places();
    if (place < 0 || static_cast<std::size_t>(place) >= places.size())
        return 0;
    const auto &processors = places[static_cast<std::size_t>(place)];
    int count = 0;
    for (const int processor : processors) {
        if (count < size)
            ids[count] = processor;
        ++count;
    }
    return count;
}

int get_place_num() {
    const Member *member = member_at(0);
    return member != nullptr ? static_cast<int>(member->place) : -1;
}

int get_partition_place_nums(int size, int *nums) {
    const Member *member = member_at(0);
    const auto count = static_cast<int>(core::places().size());
    if (member == nullptr || count == 0)
        return 0;
    for (int i = 0; i < member->place_count && i < size; ++i)
        nums[i] = (member->place_first + i) % count;
    return member->place_count;
}

/// Negative on threads unknown to OpenMP (OpenMP 5.2, 19.6.1.13).
int get_proc_id() {
    return Worker::current_or_null() != nullptr && !tool_declined ? current_processor() : -1;
}

/// Threads number on their own, after a number of the thread's in the upper bits: they share
/// nothing, and what a small program prints in hexadecimal is decimal, too, as with libomp.
LOOMP_THREAD_LOCAL std::uint64_t last_id = 0; ///< 0: none yet

// Separate, because a function that reads the thread pointer may make no calls (tests/codegen).
LOOMP_NOINLINE std::uint64_t next_id() { return last_id != 0 ? ++last_id : 0; }
LOOMP_NOINLINE void begin_ids(std::uint64_t id) { last_id = id; }

std::uint64_t get_unique_id() {
    constexpr int kBitsOfCount = 48;
    static Atomic<std::uint64_t> threads{0};
    if (const std::uint64_t id = next_id(); id != 0)
        return id;
    // relaxed: only the number matters.
    begin_ids((threads.fetch_add(1, std::memory_order_relaxed) + 1) << kBitsOfCount);
    return next_id();
}

int get_num_devices() {
    const target::Library *library = target::library();
    return library != nullptr ? library->get_num_devices() : 0;
}
int get_target_info(std::uint64_t *, ompt_id_t *, ompt_id_t *) { return 0; }

/// Beyond the standard; libomptarget calls it. If a thread calls libomptarget for a task, this
/// returns that task's data.
ompt_data_t *get_task_data() {
    const Task *task = target::task_of_call();
    if (task == nullptr) {
        const Worker *worker = Worker::current_or_null();
        task = worker != nullptr ? task_of(*worker) : nullptr;
    }
    return task != nullptr ? data_of(*task) : nullptr;
}
/// Beyond the standard; libomptarget calls it. Returns the word of the thread's current target
/// construct. The tool owns the word until the construct ends.
ompt_data_t *get_target_task_data() {
    static_assert(sizeof(ompt_data_t) == sizeof(std::uint64_t));
    return reinterpret_cast<ompt_data_t *>(target::word_of_construct());
}

/// Beyond the standard: `callback` runs when the memory of an explicit task is freed.
void set_task_deleted(TaskDeleted callback) {
    on_task_deleted.store(callback, std::memory_order_release);
}

/// Beyond the standard: a created task's code pointer lies in its outlined function, if that says
/// better where the construct is.
void prefer_outlined_functions() {
    outlined_functions_preferred.store(true, std::memory_order_relaxed); // before there are tasks
}

/// Beyond the standard: `callback` runs when a device construct's operation has completed. It gets
/// the value that the tool stored in the construct's target_task_data.
void set_device_completed(target::CompletionReport callback) {
    target::completion_report.store(callback, std::memory_order_release);
}

struct EntryPoint {
    const char *name;
    ompt_interface_fn_t fn;
};

#define LOOMP_ENTRY(name) {"ompt_" #name, reinterpret_cast<ompt_interface_fn_t>(name)}
const EntryPoint kEntryPoints[] = {
    LOOMP_ENTRY(enumerate_states),
    LOOMP_ENTRY(enumerate_mutex_impls),
    LOOMP_ENTRY(set_callback),
    LOOMP_ENTRY(get_callback),
    LOOMP_ENTRY(get_thread_data),
    LOOMP_ENTRY(get_state),
    LOOMP_ENTRY(get_parallel_info),
    LOOMP_ENTRY(get_task_info),
    LOOMP_ENTRY(get_task_memory),
    LOOMP_ENTRY(get_num_procs),
    LOOMP_ENTRY(get_num_places),
    LOOMP_ENTRY(get_place_proc_ids),
    LOOMP_ENTRY(get_place_num),
    LOOMP_ENTRY(get_partition_place_nums),
    LOOMP_ENTRY(get_proc_id),
    LOOMP_ENTRY(get_unique_id),
    LOOMP_ENTRY(finalize_tool),
    LOOMP_ENTRY(get_num_devices),
    LOOMP_ENTRY(get_target_info),
    LOOMP_ENTRY(get_task_data),
    LOOMP_ENTRY(get_target_task_data),
    {"loomp_set_task_deleted", reinterpret_cast<ompt_interface_fn_t>(set_task_deleted)},
    {"loomp_prefer_outlined_functions",
     reinterpret_cast<ompt_interface_fn_t>(prefer_outlined_functions)},
    {"loomp_set_device_completed", reinterpret_cast<ompt_interface_fn_t>(set_device_completed)},
};
#undef LOOMP_ENTRY

} // namespace

constinit Atomic<TaskDeleted> on_task_deleted{nullptr};
bool tool_declined = false;

ompt_interface_fn_t lookup(const char *name) {
    for (const EntryPoint &entry : kEntryPoints)
        if (std::strcmp(entry.name, name) == 0)
            return entry.fn;
    return nullptr;
}

} // namespace loomp::ompt
