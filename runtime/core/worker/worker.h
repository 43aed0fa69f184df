// A worker: a POSIX thread that runs tasks. Threads that loomp makes, and any thread of the program
// that calls OpenMP, have one; it is found in thread-local storage, never by a number passed in.
//
// Owner: its thread. Other threads read `index` and return memory to its caches.
// Workers are never destroyed: their memory is the home of blocks that others may still hold.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/back_off.h"
#include "platform/common.h"
#include "runtime/core/environment/places.h"
#include "runtime/core/memory/task_memory.h"
#include "runtime/core/task/task.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/worker/discovery_stats.h"
#include "runtime/core/worker/oversubscription.h"
#include "runtime/core/worker/thread_state.h"

namespace loomp::core {

struct Task;
struct Team;
struct Member;
struct Stack;
class DependenceSet;
struct QueueOrder;
struct Suspension;

/// Values that clauses push before the parallel construct that they belong to; consumed by it.
struct PushedClauses {
    int num_threads = 0;
    int num_teams_lower = 0;
    int num_teams_upper = 0;
    int thread_limit = 0;
    bool has_bind = false;
    ProcBind bind = ProcBind::false_;
    const std::vector<int> *num_threads_list = nullptr; ///< from keep_num_threads(); null: none
};

/// The request of `creator` for the next task that it creates
/// (runtime/core/scheduling/next_task.h).
struct NextTaskRequest {
    const Task *creator = nullptr;
    TaskFlags flags = 0;
    std::uint8_t kind = 0;  ///< with kFusible
    std::uint8_t queue = 0; ///< with kPlaced: a queue with a name
    void *data = nullptr;
    const DependenceSet *set = nullptr; ///< with kNamesSet
};

/// The arriving side of a switch does this first, on behalf of the task that left.
struct AfterSwitch {
    bool (*arm)(void *argument) = nullptr; ///< false: the awaited condition already holds
    void *argument = nullptr;
    Suspension *suspended = nullptr;
    Stack *recycle = nullptr; ///< nobody's any more
    Task *first = nullptr;    ///< to be run before anything else
};

/// A thread lets others know whether it has nothing to do, asleep or looking for
/// work. Written by the thread; before it starts and after its end it rests.
class Rest {
  public:
    void begin() { set(seen() | 1); }
    void end() { set((seen() | 1) + 1); }
    /// Odd: it rests. Grows each time it stops.
    std::uint32_t seen() const { return word_.load(std::memory_order_relaxed); }

  private:
    void set(std::uint32_t word) { word_.store(word, std::memory_order_relaxed); }
    Atomic<std::uint32_t> word_{1};
};

class alignas(kFalseSharing) Worker {
  public:
    /// The calling thread's worker; makes one for a thread seen for the first time.
    LOOMP_INLINE static Worker *current() {
        Worker *worker = current_or_null();
        if (LOOMP_UNLIKELY(worker == nullptr))
            worker = attach_thread();
        return worker;
    }
    /// Null if the thread has never called OpenMP.
    LOOMP_INLINE static Worker *current_or_null() {
#if defined(__aarch64__)
        // As one instruction to the compiler, which would keep the thread pointer, or the address
        // that it is added to, over calls, after which the code may be on another thread. x86-64
        // has no need to read the thread pointer. tests/codegen/check looks at both.
        Worker *worker;
        std::uintptr_t offset;
        asm volatile("mrs %0, tpidr_el0 // the worker's\n\t"
                     "adrp %1, :gottprel:_ZN5loomp4core6Worker8current_E\n\t"
                     "ldr %1, [%1, :gottprel_lo12:_ZN5loomp4core6Worker8current_E]\n\t"
                     "ldr %0, [%0, %1]"
                     : "=&r"(worker), "=&r"(offset));
        return worker;
#else
        return current_;
#endif
    }
    static void set_current(Worker *worker);
    /// The worker with a given index; blocks find their home by it.
    static Worker &at(unsigned index) { return *table_[index]; }
    /// For debuggers: all that were made, in order, and null.
    static constexpr Worker *const *table() { return table_; }

    /// At the start of a region, until the C++ library is known.
    LOOMP_INLINE void find_exceptions() {
        looked_for_exceptions = false;
        const FindExceptions find = exceptions_of_thread.load(std::memory_order_relaxed);
        if (LOOMP_UNLIKELY(find != nullptr))
            exceptions = find();
    }

    Member *member = nullptr; ///< its place in the innermost team
    Task *task = nullptr;     ///< the task it is running
    Member *tie = nullptr;    ///< whom the frames on the current stack belong to; null: anybody
    Stack *stack = nullptr;   ///< the pooled stack it is on; null: its own
    Stack *spare_stacks =
        nullptr; ///< a few of its own, to run tasks on (runtime/core/scheduling/work_first.h)
    Exceptions *exceptions = &no_exceptions; ///< its thread's, where the C++ library keeps them
    int *error = nullptr;                    ///< its thread's errno
    /// Where tasks were last found to be run within tasks to the full depth.
    const Stack *deep_stack = nullptr;
    Stack *shortage_stack =
        nullptr; ///< its own (runtime/core/scheduling/stack_shortage.h), unless it is on it
    AfterSwitch after;
    /// Children of `completing_parent` that completed here without children of their own, and that
    /// it has not been told of yet: one addition to a contended word stands for many. Told before
    /// the worker does anything that the parent might wait for (flush_completions()).
    Task *completing_parent = nullptr;
    std::uint32_t completing_count = 0;

    /// Empty nodes of the graph that are ready, while one is being completed: done one after the
    /// other, not each within the one before, so that a chain of any length fits on the stack.
    Task *ready_nodes = nullptr;
    bool completing_nodes = false;

    BlockCache task_blocks;
    BlockCache attached_blocks;
    DiscoveryStats discovery;
    BackOff back_off;

    Rest rest;
    RegionCount regions;            ///< read by others only where its thread is foreign
    Worker *next_foreign = nullptr; ///< all that were ever made, for good
    std::uint32_t index = 0;        ///< also the gtid that compilers' entry points pass around
    std::uint32_t seed = 0;         ///< of the victim choice
    PushedClauses pushed;
    NextTaskRequest asked;
    /// How it looks into queues with names; null: like any thread. Its own.
    const QueueOrder *queue_order = nullptr;
    int place = -1;                     ///< the place it is bound to; -1: not bound
    bool yields_to_ready = false;       ///< what its last taskyield looked for first
    bool looked_for_exceptions = false; ///< in this region
    bool is_foreign = false;            ///< a thread of the program, not of loomp
    /// Of its thread's own stack, when loomp made the thread: the first frame, and the size.
    const char *native_base = nullptr;
    std::size_t native_size = 0;
    const Suspension *native_stack_left_by =
        nullptr; ///< last; for debuggers (runtime/core/process/debugger.h)
    int os_thread = 0;
    int displayed_affinity = 0; ///< what its team printed of where it runs, encoded; 0: nothing
    /// Suspended stacks that left from this worker and are not back: a hint for lock waiters.
    Atomic<int> suspended_here{0};
    Atomic<int> waiting_for_locks{0}; ///< of these, tasks that wait for a lock
    ToolData tool_data = {};

    Team *cached_teams = nullptr; ///< ended teams of which it is the primary, with their threads
    Team *cached_serial_teams = nullptr; ///< the same without other threads
    Team *root_team = nullptr; ///< of a foreign thread: the implicit team around its program

    /// Pool dock: the membership it is to take up next; set by the thread that hires it.
    Atomic<Member *> hired{nullptr};
    Atomic<std::uint32_t> hired_word{0};
    Worker *next_idle = nullptr;
    Relaxed<bool> retiring = false; ///< its thread, idle from then on, is to end

    std::uint32_t random() { // xorshift
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        return seed;
    }

  private:
    friend Worker *new_worker(bool foreign);
    LOOMP_COLD static Worker *attach_thread();
    static void store_current(Worker *worker);
    LOOMP_HIDDEN static LOOMP_THREAD_LOCAL Worker *current_
        __attribute__((tls_model("initial-exec")));
    static Worker *table_[];
};

/// Where a task waits without being suspended: its errno afterwards is what it was, whatever has
/// run on top of it or been called. (The compiler may keep the address of errno itself, which is a
/// thread's.)
class KeepsError {
  public:
    LOOMP_INLINE explicit KeepsError(const Worker &worker) : error_(*worker.error) {}
    LOOMP_INLINE ~KeepsError() { *Worker::current()->error = error_; }
    KeepsError(const KeepsError &) = delete;
    KeepsError &operator=(const KeepsError &) = delete;

  private:
    int error_;
};

inline constexpr unsigned kMaxWorkers = 65536;
/// Number of workers made so far; indices are below it.
unsigned worker_count();

/// Of threads of the program.
Worker *first_foreign_worker();

/// Makes a worker (or reuses one whose thread has ended); null if there are kMaxWorkers already.
Worker *new_worker(bool foreign);
/// The worker's thread has ended: the next thread of its sort gets it.
void put_back_worker(Worker &worker);

// Memory that some tasks have beside their own: more edges, locks, exports.

/// Chains a block to `task`; freed with it. Inserted behind a list of exclusions or exports.
AttachedBlock *attach_block(Worker &worker, Task &task, std::size_t contents, std::uint32_t count);
/// Frees the first block of `task`, which has one. The task's creator calls it, or the worker that
/// completes the task.
void free_first_block(Worker &worker, Task &task);

} // namespace loomp::core
