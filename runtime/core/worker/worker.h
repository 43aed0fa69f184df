// A worker: a POSIX thread that runs tasks. Each thread that loomp makes has one, and each thread
// of the program that calls OpenMP. Thread-local storage finds it; no number is passed in.
//
// Owner: its thread. Other threads read `index` and return memory to its caches. Workers are never
// destroyed, because other threads may still hold blocks of their memory.
#pragma once

#include <array>
#include <cstdint>

#include "platform/atomic.h"
#include "platform/back_off.h"
#include "platform/common.h"
#include "platform/thread_traits.h"
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

/// Values of clauses that are pushed before their parallel construct, which consumes them.
struct PushedClauses {
    int num_threads = 0;
    int num_teams_lower = 0;
    int num_teams_upper = 0;
    int thread_limit = 0;
    bool has_bind = false;
    ProcBind bind = ProcBind::false_;
    const std::vector<int> *num_threads_list = nullptr; ///< set by keep_num_threads(); null: none
};

/// The request of `creator` for the next task that it creates
/// (runtime/core/scheduling/next_task.h).
struct NextTaskRequest {
    const Task *creator = nullptr;
    TaskFlags flags = 0;
    std::uint8_t kind = 0;  ///< valid with kFusible
    std::uint8_t queue = 0; ///< valid with kPlaced: a named queue
    void *data = nullptr;
    const DependenceSet *set = nullptr; ///< valid with kNamesSet
};

/// The side that arrives after a switch does this first, for the task that left.
struct AfterSwitch {
    bool (*arm)(void *argument) = nullptr; ///< false: the awaited condition already holds
    void *argument = nullptr;
    Suspension *suspended = nullptr;
    Stack *recycle = nullptr; ///< a stack that is no longer used
    Task *first = nullptr;    ///< runs before anything else
};

/// Shows other threads whether a thread has no work, asleep or looking for work. The thread writes
/// it; it rests before its start and after its end.
class Rest {
  public:
    void begin() { set(seen() | 1); }
    void end() { set((seen() | 1) + 1); }
    /// Odd: it rests. The value grows at each change.
    std::uint32_t seen() const { return word_.load(std::memory_order_relaxed); }

  private:
    void set(std::uint32_t word) { word_.store(word, std::memory_order_relaxed); }
    Atomic<std::uint32_t> word_{1};
};

class alignas(kFalseSharing) Worker {
  public:
    /// Returns the calling thread's worker; makes one at the thread's first call.
    LOOMP_INLINE static Worker *current() {
        Worker *worker = current_or_null();
        if (LOOMP_UNLIKELY(worker == nullptr))
            worker = attach_thread();
        return worker;
    }
    /// Returns null if the thread has never called OpenMP.
    LOOMP_INLINE static Worker *current_or_null() {
#if defined(__aarch64__)
        // One asm statement, because the compiler would otherwise keep the thread pointer, or an
        // address computed from it, over calls. The code may be on another thread after a call.
        // x86-64 does not read the thread pointer. tests/codegen/check verifies both.
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
    /// Returns the worker if the thread is in a task, null otherwise. For inquiries, which may come
    /// at any time: before a thread's first use, while it starts or ends, in a signal handler.
    /// `member` is set after `task`, and cleared before it.
    LOOMP_INLINE static const Worker *in_task_or_null() {
        const Worker *worker = current_or_null();
        return worker != nullptr && worker->member != nullptr ? worker : nullptr;
    }
    /// Enters a member's implicit task.
    LOOMP_INLINE void enter(Member &member_, Task &task_) {
        task = &task_;
        tie = &member_;
        asm volatile("" ::: "memory"); // for signal handlers of this thread
        member = &member_;
    }
    static void set_current(Worker *worker);
    /// Returns the worker with a given index; a block finds its home worker with it.
    static Worker &at(unsigned index) { return *table_[index]; }
    /// For debuggers: all workers in order of creation, then null.
    static constexpr Worker *const *table() { return table_; }

    /// Called at a region's start, until the C++ library is known.
    LOOMP_INLINE void find_exceptions() {
        looked_for_exceptions = false;
        const FindExceptions find = exceptions_of_thread.load(std::memory_order_relaxed);
        if (LOOMP_UNLIKELY(find != nullptr))
            exceptions = find();
    }

    Member *member = nullptr; ///< its place in the innermost team
    Task *task = nullptr;     ///< the task it is running
    Member *tie =
        nullptr; ///< the member to which the frames on the current stack are tied; null: none
    Stack *stack = nullptr; ///< the pooled stack it is on; null: its own
    Stack *spare_stacks =
        nullptr; ///< a small cache of stacks to run tasks on (runtime/core/scheduling/work_first.h)
    Exceptions *exceptions =
        &no_exceptions;   ///< its thread's exceptions, in the C++ library's memory
    int *error = nullptr; ///< its thread's errno
    /// New tasks run on top of their creators above this address of the thread's own stack. Null if
    /// it is not known yet.
    const char *lowest_on_top = nullptr;
    /// The objects whose code began the worker's regions and that have been searched
    /// (progress/outside_waits.h), beginning with the latest.
    struct SearchedObject {
        std::uintptr_t begin = 0;
        std::uintptr_t size = 0;
        bool contains(const void *code) const {
            return reinterpret_cast<std::uintptr_t>(code) - begin < size;
        }
    };
    std::array<SearchedObject, 4> searched = {};
    /// The stack on which nested tasks last reached the maximal depth.
    const Stack *deep_stack = nullptr;
    Stack *shortage_stack =
        nullptr; ///< its own one (runtime/core/scheduling/stack_shortage.h), unless it runs on it
    AfterSwitch after;
    /// Children of `completing_parent` that completed here without children of their own, and that
    /// are not yet subtracted there. One addition to a contended word then serves many. The worker
    /// reports them before it does anything for which the parent might wait (flush_completions()).
    Task *completing_parent = nullptr;
    std::uint32_t completing_count = 0;

    /// Ready empty nodes of the graph, while one is being completed. They are completed in sequence
    /// rather than nested, so that a chain of any length fits on the stack.
    Task *ready_nodes = nullptr;
    bool completing_nodes = false;

    BlockCache task_blocks;
    BlockCache attached_blocks;
    DiscoveryStats discovery;
    BackOff back_off;

    Rest rest;
    /// Odd: the thread is in a library's call outside tasks that waits for other processes
    /// (progress/hang.h). It grows at each change.
    Relaxed<std::uint32_t> outside_wait = 0;
    RegionCount regions;            ///< other threads read it only if its thread is foreign
    Worker *next_foreign = nullptr; ///< list of all that were ever made
    std::uint32_t index = 0;        ///< also the gtid that compilers' entry points pass around
    std::uint32_t seed = 0;         ///< state of the random choice of victims
    PushedClauses pushed;
    NextTaskRequest asked;
    /// How it looks into queues with names; null: like any thread. Its own.
    const QueueOrder *queue_order = nullptr;
    int place = -1;                     ///< the place it is bound to; -1: not bound
    bool yields_to_ready = false;       ///< the first target of its last taskyield
    bool looked_for_exceptions = false; ///< it has looked for the C++ library in this region
    bool is_foreign = false;            ///< a thread of the program, not of loomp
    /// The first frame and the size of its thread's own stack, if loomp made the thread.
    const char *native_base = nullptr;
    std::size_t native_size = 0;
    void *signal_stack = nullptr; ///< its alternate one, if loomp made it
    const Suspension *native_stack_left_by =
        nullptr; ///< the most recent one; for debuggers (runtime/core/process/debugger.h)
    int os_thread = 0;
    int displayed_affinity = 0; ///< encoded place that its team printed; 0: none
    /// Suspended stacks that left this worker and have not returned: a hint for lock waiters.
    Atomic<int> suspended_here{0};
    Atomic<int> waiting_for_locks{0};      ///< those of them whose tasks wait for a lock
    Relaxed<bool> sleeps_for_lock = false; ///< its thread waits for one
    ToolData tool_data = {};

    Team *cached_teams =
        nullptr; ///< ended teams of which it is the primary thread, with their threads
    Team *cached_serial_teams = nullptr; ///< those without other threads
    /// The team of one in which its thread calls the program back (regions/own_task.h); null: not
    /// made yet. Only its thread uses these two.
    Member *own_task = nullptr;
    bool is_in_own_task = false;
    Team *root_team = nullptr; ///< for a foreign thread: the implicit team around its program

    /// Pool dock: the membership that it takes up next; the thread that hires it sets this.
    Atomic<Member *> hired{nullptr};
    Atomic<std::uint32_t> hired_word{0};
    Worker *next_idle = nullptr;
    /// In the pool: those of its thread. When it is hired: those that its thread is to have.
    ThreadTraits traits;
    Relaxed<bool> retiring = false; ///< its idle thread shall end
    bool unused = false;            ///< its thread has ended, and no other has taken it up

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

/// Preserves errno over a wait without suspension, whatever runs on top of the task or is called
/// meanwhile. (The compiler may keep the address of errno itself, which belongs to a thread.)
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
/// Returns the number of workers made so far; indices are below it.
unsigned worker_count();

/// Returns the first worker of the list of the program's threads.
Worker *first_foreign_worker();

/// Makes a worker, or reuses one whose thread has ended. Returns null if there are kMaxWorkers
/// already.
Worker *new_worker(bool foreign);
/// The worker's thread has ended: the next thread of its kind reuses the worker.
void put_back_worker(Worker &worker);
/// In the child of fork(): the worker's thread, one of loomp's, does not exist. Nothing that is
/// left in the child refers to the worker but tasks' blocks, which go back to it.
void reuse_after_fork(Worker &worker);

// Additional memory of some tasks: more edges, locks, exports.

/// Chains a block to `task` and frees it with the task. It comes after a list of exclusions or
/// exports.
AttachedBlock *attach_block(Worker &worker, Task &task, std::size_t contents, std::uint32_t count);
/// Frees the first block of `task`, which has one. The task's creator or the worker that completes
/// the task calls it.
void free_first_block(Worker &worker, Task &task);

} // namespace loomp::core
