// Dependences between sibling tasks: from what a task says it reads and writes to edges of the
// task graph (OpenMP 5.2, 15.9.5).
//
// The map from address to last accesses belongs to the parent task; only the thread now running
// the parent touches it, so it has no lock. It names tasks by (pointer, serial) and holds no
// reference: a completed task's memory is reused at once, and the map notices (see push_edge()).
//
// Rules for edges (DESIGN 4): none to a completed predecessor; a second edge between the same two
// tasks is seen in O(1); a set of many predecessors that several tasks wait for is collapsed into
// one empty redirect node; an address given twice by one task counts once, with the strongest
// access.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/address_hash.h"
#include "core/task.h"

namespace loomp::core {

enum class Access : std::uint8_t {
    none = 0,
    in = 1,
    inoutset = 2,
    mutexinoutset = 3,
    inout = 4, ///< out and inout order alike; the strongest
};

/// One item of a depend clause. `address` null with `all_memory`: omp_all_memory.
struct Dependence {
    const void *address;
    Access access;
    bool all_memory;
};

/// A task as the map remembers it.
struct TaskRef {
    Task *task;
    std::uint64_t serial;
};

/// Whether the task that `ref` names is complete, so that no edge is made to it (see below, "The
/// successors list"). What is not a task (core/graph_builder.h) never is.
bool has_completed(const TaskRef &ref);

/// A small growing set of TaskRefs: one inline, more on the heap. It keeps room for as many as it
/// had before, but of those that have completed it remembers no more than of those that have not.
class TaskSet {
  public:
    std::uint32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const TaskRef *begin() const { return capacity_ ? many_ : &one_; }
    const TaskRef *end() const { return begin() + size_; }
    void clear() {
        size_ = 0;
        if (LOOMP_UNLIKELY(capacity_ > kKeptRoom))
            free_storage();
    }
    bool is_one_inline() const { return size_ == 1 && capacity_ == 0; }
    const TaskRef &one() const { return one_; }
    LOOMP_INLINE void add(TaskRef ref) {
        if (LOOMP_LIKELY(size_ == 0 && capacity_ == 0)) {
            one_ = ref;
            size_ = 1;
        } else if (LOOMP_LIKELY(size_ < capacity_)) {
            many_[size_++] = ref;
        } else {
            add_slow(ref);
        }
    }
    LOOMP_INLINE void set(TaskRef ref) {
        if (LOOMP_LIKELY(capacity_ == 0)) {
            one_ = ref;
        } else {
            if (LOOMP_UNLIKELY(capacity_ > kKeptRoom))
                trim();
            many_[0] = ref;
        }
        size_ = 1;
    }
    void add_all(const TaskSet &other) {
        for (const TaskRef &ref : other)
            add(ref);
    }
    void swap(TaskSet &other);
    void free_storage();
    /// Forgets the latest tasks as long as they have completed; true if none is left. A task that
    /// is forgotten is never looked at again, so the price of all calls is that of add().
    bool forget_completed_last();
    /// The most that there is room for.
    std::uint32_t capacity() const { return capacity_ == 0 ? 1 : capacity_; }

  private:
    static constexpr std::uint32_t kKeptRoom = 16; ///< a set that shrinks keeps no more
    LOOMP_NOINLINE void add_slow(TaskRef ref);
    LOOMP_NOINLINE void trim();
    void resize(std::uint32_t capacity);
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 0; ///< 0: inline
    union {
        TaskRef one_ = {};
        TaskRef *many_;
    };
};

/// A lock that the tasks of one mutexinoutset hold while they run (core/exclusion.h).
class Exclusion;
class PersistentGraphs;
class Worker;

/// Table from address to accesses. Open addressing with linear probing; an entry of another
/// generation is empty, so clearing costs O(1).
///
/// It is bounded by the tasks that live at once, not by the addresses ever named. Where it is full
/// (half full: fuller ones need many more probes) and not small, entries that name completed tasks
/// only are forgotten; it grows when those are few. So much is free afterwards that a look at all
/// of the table comes to a few entries for each that is added.
class DependenceMap {
  public:
    DependenceMap();
    ~DependenceMap();
    DependenceMap(const DependenceMap &) = delete;
    DependenceMap &operator=(const DependenceMap &) = delete;

    /// One cache line.
    struct alignas(kCacheLine) Entry {
        const void *address;
        std::uint32_t seen_by;    ///< link number of the last task that named the address
        std::uint16_t generation; ///< differs from the map's: the entry is free
        Access kind;              ///< of the tasks in `current`
        Access seen;              ///< strongest access by task `seen_by`
        TaskSet current;          ///< the last accesses, mutually unordered unless `inout`
        TaskSet previous;         ///< what each of them waits for
    };

    LOOMP_INLINE Entry &find(const void *address) {
        Entry &entry = entries_[hash_address(address) >> shift_];
        if (LOOMP_LIKELY(entry.address == address && entry.generation == generation_))
            return entry;
        return find_slow(address);
    }
    /// Forgets everything. All tasks it names have completed, or their order no longer matters.
    void clear();
    /// Addresses that it has an entry for.
    std::size_t size() const { return used_; }
    bool empty() const { return used_ == 0 && all_memory.empty(); }
    template <class F> void for_each(F f) {
        for (std::size_t i = 0; i <= mask_; ++i)
            if (entries_[i].generation == generation_)
                f(entries_[i]);
    }

    /// Numbers the tasks of this parent as they are linked; never 0.
    LOOMP_INLINE std::uint32_t next_link_number() {
        if (LOOMP_UNLIKELY(++link_number_ == 0))
            restart_link_numbers();
        return link_number_;
    }

    /// The lock shared by the mutexinoutset tasks now current at `entry`; when `fresh`, one that no
    /// other task has.
    Exclusion &exclusion_at(const Entry &entry, bool fresh);

    TaskSet all_memory;                     ///< the last omp_all_memory task, if any
    PersistentGraphs *persistent = nullptr; ///< owned; of the same task (core/persistent.h)

  private:
    LOOMP_NOINLINE Entry &find_slow(const void *address);
    LOOMP_COLD void restart_link_numbers();
    LOOMP_NOINLINE void make_room();
    bool names_completed_only(Entry &entry) const;
    std::size_t forget_completed();
    void grow();
    void rehash();
    void next_generation();
    void swap_slots(std::size_t a, std::size_t b);
    std::size_t home_of(const void *address) const { return hash_address(address) >> shift_; }

    Entry *entries_;
    std::size_t mask_;
    std::size_t used_ = 0;
    std::uint32_t shift_;
    std::uint32_t link_number_ = 0;
    std::uint16_t generation_ = 1; ///< never 0
    /// One for each entry once there is any; it outlives the entry's use, for the next.
    Exclusion **exclusions_ = nullptr;
};
static_assert(sizeof(DependenceMap::Entry) == kCacheLine);

/// Links `task`, not yet visible to others, after the siblings that its dependences name. Returns
/// true if nothing is left to wait for, i.e. the caller is the one who makes it ready.
/// Called by the thread that runs the parent.
bool link_dependences(Task &task, const Dependence *dependences, std::size_t count);

/// Enters what `task`, which has its edges already, accesses: later siblings come after it.
void enter_accesses(Task &task, const Dependence *dependences, std::size_t count);
/// Links `task`, not yet visible to others, after one predecessor only; as link_dependences().
bool link_after(Task &task, const TaskRef &predecessor);

// --- For tasks that are not linked in one go (core/nested.h) -------------------------------------

/// Enters `task` with an access to `entry` of its parent `parent`'s map and makes no edges: what it
/// would wait for is added to `predecessors`.
void enter_access(DependenceMap::Entry &entry, Access access, Task &task, Task &parent,
                  TaskSet &predecessors);
/// The same for omp_all_memory.
void enter_all_memory(DependenceMap &map, Task &task, TaskSet &predecessors);
/// Replaces the tasks of `set` by one empty node, a child of `parent`, that waits for them all. By
/// the thread that runs `parent`.
void collapse(TaskSet &set, Task &parent, Worker &worker);
/// Makes `task` wait for `predecessors`; returns the number of edges, to be added to
/// `task.predecessors`. Once per task.
std::int32_t make_edges(Task &task, const TaskSet &predecessors, Worker &worker);

/// Closes the successors list of a completed task and releases each successor: `ready(Task&)` is
/// called for those that have nothing left to wait for.
/// Thread safety: once per task, by the thread that completes it.
template <class F> void release_successors(Task &task, F ready);

/// Opens the successors list of a block's new use, before the map names the task. A task without
/// dependences never has successors; its list stays closed from the block's last use.
inline void open_successors(Task &task);

// --- The successors list ---------------------------------------------------------------------
//
// One word: bits 63..48 the low bits of the block's serial, bits 47..0 the head of the list, with
// value kClosed when the task has completed. Producers push with compare-and-swap, the completer
// closes with one exchange.
//
// Why a stale TaskRef is harmless: push_edge() reads the word (acquire), then compares the tag and
// then `serial` with the reference's. The serial is stored before the word is opened for the next
// use (release), so a word of a later use shows a later serial. If the block is reused between the
// check and the compare-and-swap, the tag differs and it fails.

namespace successors {
inline constexpr std::uint64_t kClosed = 1; ///< no Edge lives at address 1
inline constexpr std::uint64_t kPointerMask = (1ull << 48) - 1;
inline std::uint64_t tag(std::uint64_t serial) { return serial << 48; }
inline Edge *head(std::uint64_t word) { return reinterpret_cast<Edge *>(word & kPointerMask); }
} // namespace successors

inline void open_successors(Task &task) {
    const std::uint64_t serial = task.serial.load(std::memory_order_relaxed) + 1;
    task.serial.store(serial, std::memory_order_relaxed);
    // release: see above.
    task.successors.store(successors::tag(serial), std::memory_order_release);
}

template <class F> LOOMP_INLINE void release_successors(Task &task, F ready) {
    // acq_rel: the edges pushed are read; the task's effects are published to who finds it closed.
    const std::uint64_t word = task.successors.exchange(
        successors::tag(task.serial.load(std::memory_order_relaxed)) | successors::kClosed,
        std::memory_order_acq_rel);
    for (Edge *edge = successors::head(word); edge != nullptr;) {
        Task *successor = edge->successor;
        // Read before the decrement: afterwards the successor may complete and its block be reused.
        edge = edge->next;
        // Each edge lies in another successor's block, in nobody's cache: fetched while the atomic
        // operation, which later reads do not overtake, waits for this one's line.
        __builtin_prefetch(edge);
        // acq_rel: its inputs written by all its predecessors are visible to who runs it.
        if (successor->predecessors.fetch_sub(1, std::memory_order_acq_rel) == 1)
            ready(*successor);
    }
}

} // namespace loomp::core
