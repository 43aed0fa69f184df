// libloomp-check.so: reports to the collector of `loomp check` what orders the program's accesses,
// and which memory is whose (profiler/check/protocol.h). The collector is valgrind's, which runs
// the program, or a library in it.
//
// It is a tool of OpenMP, and comes before the C library: it replaces the functions that allocate
// memory. A freed block is not used again until many others have been freed, so that two tasks that
// allocate seldom get the same memory; when it is, the collector learns that it holds other data.
//
// Thread safety: any thread calls these functions at any time.
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>

#include "loomp/loomp.h"
#include "loomp/omp-tools.h"
#include "platform/common.h"
#include "profiler/check/observer/observer.h"
#include "profiler/check/runtimes.h"

#define LOOMP_SHARED __attribute__((visibility("default")))

/// The function behind one of this library.
#define LOOMP_NEXT(NAME)                                                                           \
    ([] {                                                                                          \
        static const auto next = reinterpret_cast<decltype(&NAME)>(dlsym(RTLD_NEXT, #NAME));       \
        return next;                                                                               \
    }())

namespace {

using loomp::check::report;

// --- Tasks ---------------------------------------------------------------------------------------

std::atomic<std::uint32_t> last_number{0};
// relaxed: only the number counts.
std::uint32_t new_number() { return last_number.fetch_add(1, std::memory_order_relaxed) + 1; }

std::uint64_t number(const ompt_data_t *data) { return data != nullptr ? data->value : 0; }
std::uintptr_t address(const void *pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void on_task_create(ompt_data_t *creator, const ompt_frame_t * /*frame*/, ompt_data_t *created,
                    int flags, int /*has_dependences*/, const void *code) {
    created->value = new_number();
    report(LOOMP_CHECK_CREATE, number(creator), number(created), address(code));
    report(LOOMP_CHECK_DETAILS, static_cast<unsigned>(flags), (flags & ompt_task_taskwait) != 0,
           number(created));
}

/// An iteration of a doacross loop has a number for each loop of its nest.
std::uint64_t hash_of_iteration(const ompt_dependence_t *numbers, int count) {
    std::uint64_t hash = 0;
    for (int i = 0; i < count; ++i)
        hash = hash * 0x9e3779b97f4a7c15 + numbers[i].variable.value;
    return hash;
}

void on_dependences(ompt_data_t *task, const ompt_dependence_t *items, int count) {
    const ompt_dependence_type_t first =
        count > 0 ? items[0].dependence_type : ompt_dependence_type_in;
    if (first == ompt_dependence_type_source || first == ompt_dependence_type_sink)
        return report(first == ompt_dependence_type_source ? LOOMP_CHECK_POSTED
                                                           : LOOMP_CHECK_AWAITED,
                      number(task), hash_of_iteration(items, count));
    for (int i = 0; i < count; ++i)
        report(LOOMP_CHECK_DEPEND, number(task), address(items[i].variable.ptr),
               static_cast<unsigned>(items[i].dependence_type));
}

void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    switch (status) {
    case ompt_task_complete:
    case ompt_task_cancel:
        return report(LOOMP_CHECK_END, number(prior), number(next));
    case ompt_task_detach:
        return report(LOOMP_CHECK_DETACH, number(prior), number(next));
    case ompt_task_early_fulfill:
    case ompt_task_late_fulfill:
        return report(LOOMP_CHECK_FULFIL, number(prior), status == ompt_task_late_fulfill);
    case ompt_taskwait_complete:
        return report(LOOMP_CHECK_WAITED, number(prior));
    default:
        report(LOOMP_CHECK_RUN, number(prior), number(next));
    }
}

/// The initial task of a thread is in no region; those of a league's teams are in the league.
void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                      unsigned /*size*/, unsigned index, int /*flags*/) {
    if (endpoint == ompt_scope_end)
        return report(LOOMP_CHECK_MEMBER_END, number(task));
    task->value = new_number();
    report(LOOMP_CHECK_MEMBER_BEGIN, number(task), number(region), index);
}

void on_parallel_begin(ompt_data_t *task, const ompt_frame_t * /*frame*/, ompt_data_t *region,
                       unsigned /*requested*/, int /*flags*/, const void *code) {
    region->value = new_number();
    report(LOOMP_CHECK_REGION_BEGIN, number(task), number(region), address(code));
}

void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int /*flags*/, const void * /*code*/) {
    report(LOOMP_CHECK_REGION_END, number(task), number(region));
}

void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                    ompt_data_t *task, const void * /*code*/) {
    const bool begins = endpoint == ompt_scope_begin;
    switch (kind) {
    case ompt_sync_region_taskwait:
        if (!begins)
            report(LOOMP_CHECK_TASKWAIT_END, number(task));
        return;
    case ompt_sync_region_taskgroup:
        return report(begins ? LOOMP_CHECK_GROUP_BEGIN : LOOMP_CHECK_GROUP_END, number(task));
    case ompt_sync_region_reduction:
        return;
    default:
        report(begins ? LOOMP_CHECK_BARRIER_BEGIN : LOOMP_CHECK_BARRIER_END, number(task),
               number(region));
    }
}

/// The runtime combines the members' parts, in an order that it keeps.
void on_reduction(ompt_sync_region_t /*kind*/, ompt_scope_endpoint_t endpoint,
                  ompt_data_t * /*region*/, ompt_data_t * /*task*/, const void * /*code*/) {
    report(LOOMP_CHECK_PAUSE, endpoint == ompt_scope_begin);
}

void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void * /*code*/) {
    report(LOOMP_CHECK_LOCKED, lock, static_cast<unsigned>(kind));
}
void on_mutex_released(ompt_mutex_t /*kind*/, ompt_wait_id_t lock, const void * /*code*/) {
    report(LOOMP_CHECK_UNLOCKED, lock);
}

// --- Memory --------------------------------------------------------------------------------------

/// The memory that the thread's static variables occupy, below its control block.
void report_static_variables() {
    std::size_t size = 0;
    dl_iterate_phdr(
        [](dl_phdr_info *object, std::size_t, void *sum) {
            for (int i = 0; i < object->dlpi_phnum; ++i)
                if (const auto &part = object->dlpi_phdr[i]; part.p_type == PT_TLS)
                    *static_cast<std::size_t *>(sum) += part.p_memsz + part.p_align;
            return 0;
        },
        &size);
    constexpr std::size_t later = 2048;   // of libraries that are loaded later
    constexpr std::size_t block = 0x1000; // the C library's control block
    report(LOOMP_CHECK_PRIVATE, address(__builtin_thread_pointer()) - size - later,
           size + later + block);
}

void on_thread_begin(ompt_thread_t /*type*/, ompt_data_t * /*data*/) { report_static_variables(); }

/// The code of a library or of the program. The locks of runtimes are none of the program's.
struct Code {
    std::uintptr_t begin, end;
    bool is_runtime;
};
constexpr int kMostCodes = 512;
Code codes[kMostCodes];
std::atomic<int> code_count{0};
std::atomic_flag codes_lock;

bool begins_with(const char *text, const char *with) {
    return std::strncmp(text, with, std::strlen(with)) == 0;
}

bool is_runtime_name(const char *path) {
    const char *slash = std::strrchr(path, '/');
    const char *name = slash != nullptr ? slash + 1 : path;
    for (const char *runtime : {LOOMP_CHECK_RUNTIMES, "libc.so"})
        if (begins_with(name, runtime))
            return true;
    return false;
}

/// Libraries of the system, such as a BLAS, protect their static data by means that the collector
/// does not see.
bool is_of_system(const char *path) {
    for (const char *folder : {"/usr/lib/", "/lib/", "/usr/lib64/", "/lib64/"})
        if (begins_with(path, folder))
            return true;
    return false;
}

const Code *find_code(std::uintptr_t address) {
    // acquire: who sees the count sees the ranges.
    const int count = code_count.load(std::memory_order_acquire);
    for (int i = 0; i < count; ++i)
        if (address >= codes[i].begin && address < codes[i].end)
            return &codes[i];
    return nullptr;
}

/// Enters what has been loaded since the last time.
void find_libraries() {
    while (codes_lock.test_and_set(std::memory_order_acquire))
        sched_yield();
    dl_iterate_phdr(
        [](dl_phdr_info *object, std::size_t, void *) {
            const bool runtime = is_runtime_name(object->dlpi_name);
            for (int i = 0; i < object->dlpi_phnum; ++i) {
                const auto &part = object->dlpi_phdr[i];
                const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
                const int at = code_count.load(std::memory_order_relaxed); // the lock orders it
                if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0 || at == kMostCodes ||
                    find_code(begin) != nullptr)
                    continue;
                codes[at] = {begin, begin + part.p_memsz, runtime};
                // release: a reader that sees the count sees the range.
                code_count.store(at + 1, std::memory_order_release);
                for (int k = 0; k < object->dlpi_phnum; ++k)
                    if (const auto &data = object->dlpi_phdr[k];
                        data.p_type == PT_LOAD && (data.p_flags & PF_W) != 0 &&
                        (runtime || is_of_system(object->dlpi_name)))
                        report(LOOMP_CHECK_IGNORE, object->dlpi_addr + data.p_vaddr, data.p_memsz);
            }
            return 0;
        },
        nullptr);
    codes_lock.clear(std::memory_order_release);
}

bool is_runtime(const void *code) {
    const Code *found = find_code(address(code));
    if (found == nullptr) {
        find_libraries();
        found = find_code(address(code));
    }
    return found != nullptr && found->is_runtime;
}

/// Freed blocks, the oldest first, until they are too many bytes.
constexpr std::size_t kMostKept = std::size_t{64} << 20;
struct Freed {
    Freed *next;
    std::size_t size;
};
std::atomic_flag freed_lock;
Freed *oldest = nullptr, *newest = nullptr;
std::size_t kept = 0;

extern "C" void *__libc_malloc(std::size_t);
extern "C" void *__libc_calloc(std::size_t, std::size_t);
extern "C" void *__libc_memalign(std::size_t, std::size_t);
extern "C" void *__libc_valloc(std::size_t);
extern "C" void *__libc_pvalloc(std::size_t);
extern "C" void __libc_free(void *);
extern "C" std::size_t malloc_usable_size(void *);
/// While it is true, libstdc++ counts references by plain accesses.
extern "C" __attribute__((weak)) char __libc_single_threaded;

void *note_block(void *block, std::size_t size) {
    if (block != nullptr)
        report(LOOMP_CHECK_ALLOCATED, address(block), size);
    return block;
}

void keep_freed(void *block) {
    if (block == nullptr)
        return;
    const int before = errno;
    auto *freed = static_cast<Freed *>(block);
    const std::size_t size = malloc_usable_size(block);
    if (size < sizeof(Freed)) {
        report(LOOMP_CHECK_RECYCLED, address(block), size);
        return __libc_free(block);
    }
    *freed = {nullptr, size};
    Freed *surplus = nullptr;
    while (freed_lock.test_and_set(std::memory_order_acquire))
        sched_yield();
    (newest != nullptr ? newest->next : oldest) = freed;
    newest = freed;
    kept += size;
    if (kept > kMostKept) { // half of them at once: each time costs the collector something
        surplus = oldest;
        Freed *last = oldest;
        for (kept -= oldest->size; kept > kMostKept / 2 && last->next != newest; last = last->next)
            kept -= last->next->size;
        oldest = last->next;
        last->next = nullptr;
        if (oldest == nullptr)
            newest = nullptr;
    }
    freed_lock.clear(std::memory_order_release);
    while (surplus != nullptr) {
        Freed *next = surplus->next;
        report(LOOMP_CHECK_RECYCLED, address(surplus), surplus->size);
        __libc_free(surplus);
        surplus = next;
    }
    errno = before;
}

// --- loomp's own interface -----------------------------------------------------------------------

ompt_get_task_info_t get_task_info = nullptr;

/// The end of an iteration of a persistent graph waits for its tasks, unless the program has asked
/// it not to.
void report_end_of_iteration(bool waits) {
    ompt_data_t *task = nullptr;
    int flags = 0;
    if (waits && get_task_info != nullptr &&
        get_task_info(0, &flags, &task, nullptr, nullptr, nullptr) != 0)
        report(LOOMP_CHECK_TASKWAIT_END, number(task));
}

// --- Threads of the program ----------------------------------------------------------------------

struct MadeThread {
    void *(*run)(void *);
    void *argument;
};

void *run_thread(void *of_made) {
    const MadeThread made = *static_cast<MadeThread *>(of_made);
    report(LOOMP_CHECK_THREAD_BEGIN, address(of_made), pthread_self());
    __libc_free(of_made);
    return made.run(made.argument);
}

/// How many static variables of functions the thread initialises.
thread_local int initialisations = 0;

/// True if the calling thread's iteration has no barrier at its end.
thread_local bool without_barrier = false;

// --- Start ---------------------------------------------------------------------------------------

int initialize(ompt_function_lookup_t lookup, int /*device*/, ompt_data_t * /*data*/) {
    find_libraries();
    if (&__libc_single_threaded != nullptr)
        __libc_single_threaded = 0;
    const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
    const auto listen = [set](ompt_callbacks_t event, auto function) {
        set(event, reinterpret_cast<ompt_callback_t>(function));
    };
    get_task_info = reinterpret_cast<ompt_get_task_info_t>(lookup("ompt_get_task_info"));
    listen(ompt_callback_task_create, on_task_create);
    listen(ompt_callback_dependences, on_dependences);
    listen(ompt_callback_task_schedule, on_task_schedule);
    listen(ompt_callback_implicit_task, on_implicit_task);
    listen(ompt_callback_parallel_begin, on_parallel_begin);
    listen(ompt_callback_parallel_end, on_parallel_end);
    listen(ompt_callback_sync_region, on_sync_region);
    listen(ompt_callback_reduction, on_reduction);
    listen(ompt_callback_mutex_acquired, on_mutex_acquired);
    listen(ompt_callback_mutex_released, on_mutex_released);
    listen(ompt_callback_thread_begin, on_thread_begin);
    return 1;
}

void finalize(ompt_data_t * /*data*/) {}

} // namespace

extern "C" {

LOOMP_SHARED std::uint32_t loomp_check_new_task() { return new_number(); }

LOOMP_SHARED ompt_start_tool_result_t *ompt_start_tool(unsigned /*version*/,
                                                       const char * /*runtime*/) {
    static ompt_start_tool_result_t result{initialize, finalize, {}};
    return &loomp_check_take != nullptr || loomp::valgrind::is_running() ? &result : nullptr;
}

LOOMP_SHARED int loomp_persistent_begin(const char *where, unsigned flags) {
    const int runs = LOOMP_NEXT(loomp_persistent_begin)(where, flags);
    without_barrier = (flags & LOOMP_PERSISTENT_NO_BARRIER) != 0;
    if (runs == 0)
        report_end_of_iteration(!without_barrier);
    return runs;
}
LOOMP_SHARED int loomp_persistent_end(void) {
    const int result = LOOMP_NEXT(loomp_persistent_end)();
    report_end_of_iteration(!without_barrier);
    return result;
}

#define LOOMP_CALLER __builtin_return_address(0)

LOOMP_SHARED void *malloc(std::size_t size) { return note_block(__libc_malloc(size), size); }
LOOMP_SHARED void *calloc(std::size_t count, std::size_t size) {
    return note_block(__libc_calloc(count, size), count * size);
}
LOOMP_SHARED void *memalign(std::size_t alignment, std::size_t size) {
    return note_block(__libc_memalign(alignment, size), size);
}
LOOMP_SHARED void *aligned_alloc(std::size_t alignment, std::size_t size) {
    return note_block(__libc_memalign(alignment, size), size);
}
LOOMP_SHARED void *valloc(std::size_t size) { return note_block(__libc_valloc(size), size); }
LOOMP_SHARED void *pvalloc(std::size_t size) { return note_block(__libc_pvalloc(size), size); }
LOOMP_SHARED int posix_memalign(void **result, std::size_t alignment, std::size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    void *block = note_block(__libc_memalign(alignment, size), size);
    if (block == nullptr)
        return ENOMEM;
    *result = block;
    return 0;
}
LOOMP_SHARED void free(void *block) { keep_freed(block); }
/// Always another block, so that no task is taken for the user of the old one's memory.
LOOMP_SHARED void *realloc(void *old, std::size_t size) {
    if (old != nullptr && size == 0) {
        keep_freed(old);
        return nullptr;
    }
    void *block = note_block(__libc_malloc(size), size);
    if (block == nullptr || old == nullptr)
        return block;
    const std::size_t before = malloc_usable_size(old);
    std::memcpy(block, old, before < size ? before : size);
    keep_freed(old);
    return block;
}

LOOMP_SHARED void *reallocarray(void *old, std::size_t count, std::size_t size) noexcept {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return nullptr;
    }
    return realloc(old, bytes);
}

LOOMP_SHARED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                void *(*run)(void *), void *argument) noexcept {
    auto *made = is_runtime(LOOMP_CALLER)
                     ? nullptr
                     : static_cast<MadeThread *>(__libc_malloc(sizeof(MadeThread)));
    if (made == nullptr)
        return LOOMP_NEXT(pthread_create)(thread, attributes, run, argument);
    *made = {run, argument};
    report(LOOMP_CHECK_THREAD_MADE, address(made));
    const int error = LOOMP_NEXT(pthread_create)(thread, attributes, run_thread, made);
    if (error != 0)
        __libc_free(made);
    return error;
}
LOOMP_SHARED int pthread_join(pthread_t thread, void **result) {
    const int error = LOOMP_NEXT(pthread_join)(thread, result);
    if (error == 0)
        report(LOOMP_CHECK_THREAD_JOINED, thread);
    return error;
}

/// A lock of the program's: its threads are those that run its tasks.
#define LOOMP_ARGUMENTS(...) __VA_ARGS__
#define LOOMP_LOCKS_WITH(NAME, TYPE, WHOM, PARAMETERS, ARGUMENTS)                                  \
    LOOMP_SHARED int NAME(TYPE *lock PARAMETERS) noexcept {                                        \
        const int error = LOOMP_NEXT(NAME)(lock ARGUMENTS);                                        \
        if (error == 0 && !is_runtime(LOOMP_CALLER))                                               \
            report(LOOMP_CHECK_LOCKED,                                                             \
                   address(const_cast<const void *>(static_cast<volatile void *>(lock))), 0,       \
                   WHOM);                                                                          \
        return error;                                                                              \
    }
#define LOOMP_LOCKS(NAME, TYPE, WHOM) LOOMP_LOCKS_WITH(NAME, TYPE, WHOM, , )
#define LOOMP_TIMED(NAME, TYPE, WHOM)                                                              \
    LOOMP_LOCKS_WITH(NAME, TYPE, WHOM, LOOMP_ARGUMENTS(, const timespec *until),                   \
                     LOOMP_ARGUMENTS(, until))
#define LOOMP_CLOCKED(NAME, TYPE, WHOM)                                                            \
    LOOMP_LOCKS_WITH(NAME, TYPE, WHOM, LOOMP_ARGUMENTS(, clockid_t clock, const timespec *until),  \
                     LOOMP_ARGUMENTS(, clock, until))
#define LOOMP_UNLOCKS(NAME, TYPE)                                                                  \
    LOOMP_SHARED int NAME(TYPE *lock) noexcept {                                                   \
        if (!is_runtime(LOOMP_CALLER))                                                             \
            report(LOOMP_CHECK_UNLOCKED,                                                           \
                   address(const_cast<const void *>(static_cast<volatile void *>(lock))));         \
        return LOOMP_NEXT(NAME)(lock);                                                             \
    }
LOOMP_LOCKS(pthread_mutex_lock, pthread_mutex_t, LOOMP_CHECK_FOR_ALL)
LOOMP_LOCKS(pthread_mutex_trylock, pthread_mutex_t, LOOMP_CHECK_FOR_ALL)
LOOMP_TIMED(pthread_mutex_timedlock, pthread_mutex_t, LOOMP_CHECK_FOR_ALL)
LOOMP_CLOCKED(pthread_mutex_clocklock, pthread_mutex_t, LOOMP_CHECK_FOR_ALL)
LOOMP_UNLOCKS(pthread_mutex_unlock, pthread_mutex_t)
LOOMP_LOCKS(pthread_spin_lock, pthread_spinlock_t, LOOMP_CHECK_FOR_ALL)
LOOMP_LOCKS(pthread_spin_trylock, pthread_spinlock_t, LOOMP_CHECK_FOR_ALL)
LOOMP_UNLOCKS(pthread_spin_unlock, pthread_spinlock_t)
LOOMP_LOCKS(pthread_rwlock_rdlock, pthread_rwlock_t, LOOMP_CHECK_FOR_READERS)
LOOMP_LOCKS(pthread_rwlock_tryrdlock, pthread_rwlock_t, LOOMP_CHECK_FOR_READERS)
LOOMP_TIMED(pthread_rwlock_timedrdlock, pthread_rwlock_t, LOOMP_CHECK_FOR_READERS)
LOOMP_CLOCKED(pthread_rwlock_clockrdlock, pthread_rwlock_t, LOOMP_CHECK_FOR_READERS)
LOOMP_LOCKS(pthread_rwlock_wrlock, pthread_rwlock_t, LOOMP_CHECK_FOR_WRITER)
LOOMP_LOCKS(pthread_rwlock_trywrlock, pthread_rwlock_t, LOOMP_CHECK_FOR_WRITER)
LOOMP_TIMED(pthread_rwlock_timedwrlock, pthread_rwlock_t, LOOMP_CHECK_FOR_WRITER)
LOOMP_CLOCKED(pthread_rwlock_clockwrlock, pthread_rwlock_t, LOOMP_CHECK_FOR_WRITER)
LOOMP_UNLOCKS(pthread_rwlock_unlock, pthread_rwlock_t)

} // extern "C"

namespace __cxxabiv1 {

extern "C" {

/// The first thread that comes to a function's static variable initialises it. Others see that by a
/// load that is like any other, so these accesses are not examined.
LOOMP_SHARED int __cxa_guard_acquire(__guard *guard) {
    const int initialises = LOOMP_NEXT(__cxa_guard_acquire)(guard);
    if (initialises != 0 && initialisations++ == 0)
        report(LOOMP_CHECK_PAUSE, 1);
    return initialises;
}
LOOMP_SHARED void __cxa_guard_release(__guard *guard) noexcept {
    if (--initialisations == 0)
        report(LOOMP_CHECK_PAUSE, 0);
    LOOMP_NEXT(__cxa_guard_release)(guard);
}
LOOMP_SHARED void __cxa_guard_abort(__guard *guard) noexcept {
    if (--initialisations == 0)
        report(LOOMP_CHECK_PAUSE, 0);
    LOOMP_NEXT(__cxa_guard_abort)(guard);
}

} // extern "C"

} // namespace __cxxabiv1
