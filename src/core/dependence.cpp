#include "core/dependence.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <utility>

#include "core/exclusion.h"
#include "core/message.h"
#include "core/persistent.h"
#include "core/priority_graph.h"
#include "core/scheduler.h"
#include "core/task_allocation.h"
#include "core/task_budget.h"
#include "core/worker.h"

extern "C" {
// LeakSanitizer, if the program has it: what mapped pages point to is in use.
__attribute__((weak)) void __lsan_register_root_region(const void *begin, size_t size);
__attribute__((weak)) void __lsan_unregister_root_region(const void *begin, size_t size);
}

namespace loomp::core {

namespace {

/// A set of at least this many predecessors is collapsed into a redirect node when it becomes the
/// common predecessor of a set of successors: m + n edges instead of m * n.
constexpr std::uint32_t kRedirectThreshold = 4;
constexpr std::size_t kFirstEntries = 64;
/// Tables of so many bytes forget, if memory is not short before. Smaller ones keep their
/// addresses: most programs name the same ones again.
constexpr std::size_t kForgetting = std::size_t{1} << 20;
constexpr std::uint32_t kEdgesPerBlock = 7; // with the header: two cache lines

void *checked(void *memory) {
    if (memory == nullptr)
        fatal("out of memory: table of task dependences");
    return memory;
}

} // namespace

// --- TaskSet ---------------------------------------------------------------------------------

bool has_completed(const TaskRef &ref) {
    if (ref.task == nullptr)
        return false;
    // acquire: what a completed task wrote is visible to whoever is not ordered after it by an
    // edge.
    const std::uint64_t word = ref.task->successors.load(std::memory_order_acquire);
    return (word >> 48) != (ref.serial & 0xffff) ||
           ref.task->serial.load(std::memory_order_relaxed) != ref.serial ||
           (word & successors::kPointerMask) == successors::kClosed;
}

void TaskSet::resize(std::uint32_t capacity) {
    many_ = static_cast<TaskRef *>(
        checked(std::realloc(many_, std::size_t{capacity} * sizeof(TaskRef))));
    capacity_ = capacity;
}

void TaskSet::add_slow(TaskRef ref) {
    if (capacity_ == 0) {
        constexpr std::uint32_t first = 4;
        const TaskRef one = one_;
        many_ = nullptr;
        resize(first);
        many_[0] = one;
    } else {
        size_ =
            static_cast<std::uint32_t>(std::remove_if(many_, many_ + size_, has_completed) - many_);
        if (size_ > capacity_ / 2) {
            if (capacity_ > std::numeric_limits<std::uint32_t>::max() / 2)
                fatal("more than %u unfinished tasks depend on one address", size_);
            resize(capacity_ * 2);
        }
    }
    many_[size_++] = ref;
}

void TaskSet::trim() { resize(kKeptRoom); }

bool TaskSet::forget_completed_last() {
    while (size_ != 0 && has_completed(*(end() - 1)))
        --size_;
    return size_ == 0;
}

void TaskSet::swap(TaskSet &other) {
    // The bytes are the value: no member points into its own object.
    alignas(TaskSet) char mine[sizeof(TaskSet)];
    std::memcpy(mine, static_cast<void *>(this), sizeof mine);
    std::memcpy(static_cast<void *>(this), static_cast<void *>(&other), sizeof mine);
    std::memcpy(static_cast<void *>(&other), mine, sizeof mine);
}

void TaskSet::free_storage() {
    if (capacity_ != 0)
        std::free(many_);
    size_ = capacity_ = 0;
}

// --- Memory of tables --------------------------------------------------------------------------

namespace {

/// Tables of so many bytes are pages of their own, which grow without being copied, and count as
/// tasks' memory.
constexpr std::size_t kMapped = std::size_t{64} << 10;

/// Of a new table that mmap() or mremap() returned.
void *checked_mapping(void *table, std::size_t size) {
    checked(table == MAP_FAILED ? nullptr : table);
    if (__lsan_register_root_region != nullptr)
        __lsan_register_root_region(table, size);
    return table;
}

/// Before its pages go or move.
void end_mapping(void *table, std::size_t size) {
    if (__lsan_unregister_root_region != nullptr)
        __lsan_unregister_root_region(table, size);
}

void *make_table(std::size_t size) {
    if (size < kMapped)
        return std::memset(checked(std::aligned_alloc(kCacheLine, size)), 0, size);
    return checked_mapping(
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), size);
}

void free_table(void *table, std::size_t size) {
    if (size < kMapped) {
        std::free(table);
        return;
    }
    end_mapping(table, size);
    munmap(table, size);
    take_from_tasks(size);
}

/// Twice as large, what is added being zero.
void *double_table(void *table, std::size_t size) {
    if (size >= kMapped) {
        end_mapping(table, size);
        return checked_mapping(mremap(table, size, 2 * size, MREMAP_MAYMOVE), 2 * size);
    }
    void *larger = make_table(2 * size);
    std::memcpy(larger, table, size);
    std::free(table);
    return larger;
}

/// What a table of `size` bytes takes more when it is doubled, as tasks' memory.
std::size_t added_by_doubling(std::size_t size) {
    return size >= kMapped ? size : 2 * size >= kMapped ? 2 * size : 0;
}

} // namespace

// --- DependenceMap ---------------------------------------------------------------------------

DependenceMap::DependenceMap()
    : entries_(static_cast<Entry *>(make_table(kFirstEntries * sizeof(Entry)))),
      mask_(kFirstEntries - 1), shift_(64 - std::bit_width(kFirstEntries - 1)) {}

DependenceMap::~DependenceMap() {
    if (persistent != nullptr)
        delete_graphs(persistent);
    const std::size_t size = mask_ + 1;
    for (std::size_t i = 0; i < size; ++i) {
        entries_[i].current.free_storage();
        entries_[i].previous.free_storage();
        if (exclusions_ != nullptr && exclusions_[i] != nullptr)
            exclusions_[i]->drop();
    }
    all_memory.free_storage();
    free_table(entries_, size * sizeof(Entry));
    if (exclusions_ != nullptr)
        free_table(exclusions_, size * sizeof(Exclusion *));
}

void DependenceMap::clear() {
    used_ = 0;
    all_memory.clear();
    next_generation();
}

/// What was in use is not any more.
void DependenceMap::next_generation() {
    if (LOOMP_LIKELY(++generation_ != 0))
        return;
    // Entries of early generations would look alive. Those of the last one are those of the first
    // from now on.
    for (std::size_t i = 0; i <= mask_; ++i)
        entries_[i].generation = entries_[i].generation == 0xffff ? 1 : 0;
    generation_ = 2;
}

void DependenceMap::restart_link_numbers() {
    for_each([](Entry &entry) { entry.seen_by = 0; });
    link_number_ = 1;
}

DependenceMap::Entry &DependenceMap::find_slow(const void *address) {
    for (std::size_t i = home_of(address);; i = (i + 1) & mask_) {
        Entry &entry = entries_[i];
        if (entry.generation != generation_) {
            if (LOOMP_UNLIKELY(used_ * 2 >= mask_)) {
                make_room();
                return find_slow(address);
            }
            ++used_;
            entry.address = address;
            entry.generation = generation_;
            entry.kind = Access::none;
            entry.seen_by = 0;
            entry.current.clear();
            entry.previous.clear();
            if (LOOMP_UNLIKELY(!all_memory.empty())) {
                entry.current.set(*all_memory.begin());
                entry.kind = Access::inout;
            }
            return entry;
        }
        if (LOOMP_LIKELY(entry.address == address))
            return entry;
    }
}

bool DependenceMap::names_completed_only(Entry &entry) const {
    // The task that is being linked may have noted here what it will do (core/nested.cpp).
    if (entry.seen_by == link_number_)
        return false;
    return entry.current.forget_completed_last() && entry.previous.forget_completed_last();
}

/// Returns how many entries were given up.
std::size_t DependenceMap::forget_completed() {
    const std::size_t before = used_;
    all_memory.forget_completed_last();
    for_each([this](Entry &entry) {
        if (!names_completed_only(entry))
            return;
        entry.current.free_storage();
        entry.previous.free_storage();
        entry.generation = 0;
        --used_;
    });
    return before - used_;
}

void DependenceMap::make_room() {
    const std::size_t size = (mask_ + 1) * sizeof(Entry);
    const bool affordable = fits_task_budget(added_by_doubling(size));
    if (affordable && size < kForgetting) {
        grow();
    } else {
        const std::size_t before = used_;
        const std::size_t forgotten = forget_completed();
        // With too little memory for tasks their creator is held back soon, and many complete: less
        // will do until then.
        if (forgotten < before / 2 && !affordable)
            Worker::current()->task_blocks.note_over_budget();
        if (forgotten < before / (affordable ? 2 : 16))
            grow();
    }
    rehash();
}

void DependenceMap::grow() {
    const std::size_t size = mask_ + 1;
    const auto doubled = [size](void *table, std::size_t each) {
        if (const std::size_t added = added_by_doubling(size * each); added != 0)
            (void)reserve_for_tasks(added);
        return double_table(table, size * each);
    };
    entries_ = static_cast<Entry *>(doubled(entries_, sizeof(Entry)));
    if (exclusions_ != nullptr)
        exclusions_ = static_cast<Exclusion **>(doubled(exclusions_, sizeof(Exclusion *)));
    mask_ = 2 * size - 1;
    shift_ -= 1;
}

/// Puts each entry in its place, in the table as it is. Those of the generation before have none
/// yet; one that is in the way of another takes its turn.
void DependenceMap::rehash() {
    next_generation();
    const std::uint16_t before = static_cast<std::uint16_t>(generation_ - 1);
    for (std::size_t i = 0; i <= mask_; ++i) {
        while (entries_[i].generation == before) {
            std::size_t slot = home_of(entries_[i].address);
            while (entries_[slot].generation == generation_)
                slot = (slot + 1) & mask_;
            swap_slots(i, slot);
            entries_[slot].generation = generation_;
        }
    }
}

void DependenceMap::swap_slots(std::size_t a, std::size_t b) {
    alignas(Entry) char entry[sizeof(Entry)];
    std::memcpy(entry, static_cast<void *>(&entries_[a]), sizeof entry);
    std::memcpy(static_cast<void *>(&entries_[a]), static_cast<void *>(&entries_[b]), sizeof entry);
    std::memcpy(static_cast<void *>(&entries_[b]), entry, sizeof entry);
    if (exclusions_ != nullptr)
        std::swap(exclusions_[a], exclusions_[b]);
}

Exclusion &DependenceMap::exclusion_at(const Entry &entry, bool fresh) {
    if (LOOMP_UNLIKELY(exclusions_ == nullptr)) {
        const std::size_t size = (mask_ + 1) * sizeof(Exclusion *);
        if (size >= kMapped)
            (void)reserve_for_tasks(size);
        exclusions_ = static_cast<Exclusion **>(make_table(size));
    }
    Exclusion *&exclusion = exclusions_[&entry - entries_];
    if (exclusion == nullptr) {
        exclusion = new Exclusion;
    } else if (fresh && !exclusion->is_unshared()) {
        exclusion->drop();
        exclusion = new Exclusion;
    }
    return *exclusion;
}

// --- Linking ---------------------------------------------------------------------------------

namespace {

/// Hands out the edges of one task while it is being linked.
class EdgeSource {
  public:
    explicit EdgeSource(Task &task, Worker &worker)
        : task_(task), worker_(worker), next_(task.edge_space),
          end_(reinterpret_cast<Edge *>(reinterpret_cast<char *>(&task) +
                                        size_of_class(task.size_class)) -
               1),
          begin_(next_) {}

    /// The edge that push_edge() will fill next.
    Edge *peek() {
        if (LOOMP_UNLIKELY(next_ > end_))
            refill();
        return next_;
    }
    void consume() { ++next_; }
    /// Whether `edge` is one of the task's own (an earlier block's edges are not recognised: the
    /// price is a redundant edge, which is counted twice on both sides and so harmless).
    bool owns(const Edge *edge) const { return edge >= begin_ && edge < next_; }

  private:
    LOOMP_NOINLINE void refill() {
        AttachedBlock *block =
            attach_block(worker_, task_, kEdgesPerBlock * sizeof(Edge), kEdgesPerBlock);
        begin_ = next_ = static_cast<Edge *>(block->contents());
        end_ = next_ + kEdgesPerBlock - 1;
    }
    Task &task_;
    Worker &worker_;
    Edge *next_;
    Edge *end_; ///< the last usable edge
    Edge *begin_;
};

/// Makes `task` wait for `pred`; returns the number of edges made (0 or 1).
LOOMP_INLINE std::int32_t push_edge(const TaskRef &pred, Task &task, EdgeSource &edges,
                                    DiscoveryStats &stats) {
    if (LOOMP_UNLIKELY(pred.task == &task))
        return 0;
    // acquire: pairs with open_successors() for the serial, and with the completer's exchange for
    // the effects of a completed predecessor.
    std::uint64_t word = pred.task->successors.load(std::memory_order_acquire);
    for (;;) {
        if ((word >> 48) != (pred.serial & 0xffff) ||
            pred.task->serial.load(std::memory_order_relaxed) != pred.serial ||
            (word & successors::kPointerMask) == successors::kClosed) {
            ++stats.edges_pruned;
            return 0;
        }
        Edge *head = successors::head(word);
        if (edges.owns(head)) {
            ++stats.edges_merged;
            return 0;
        }
        Edge *edge = edges.peek();
        edge->successor = &task;
        edge->next = head;
        const std::uint64_t desired =
            (word & ~successors::kPointerMask) | reinterpret_cast<std::uint64_t>(edge);
        // release: the completer reads the edge.
        if (LOOMP_LIKELY(pred.task->successors.compare_exchange_strong(
                word, desired, std::memory_order_acq_rel, std::memory_order_acquire))) {
            edges.consume();
            ++stats.edges_made;
            return 1;
        }
    }
}

LOOMP_INLINE std::int32_t push_edges(const TaskSet &preds, Task &task, EdgeSource &edges,
                                     DiscoveryStats &stats) {
    std::int32_t made = 0;
    for (const TaskRef &pred : preds)
        made += push_edge(pred, task, edges, stats);
    return made;
}

LOOMP_INLINE TaskRef ref_to(Task &task) {
    return {&task, task.serial.load(std::memory_order_relaxed)};
}

/// Publishes the number of edges made; true if all predecessors have completed meanwhile.
LOOMP_INLINE bool publish_edges(Task &task, std::int32_t made) {
    if (made == 0)
        return true;
    // acq_rel: release publishes the task to its predecessors' completers; acquire makes their
    // effects visible should we be the last.
    return task.predecessors.fetch_add(made, std::memory_order_acq_rel) + made == 0;
}

} // namespace

LOOMP_NOINLINE void collapse(TaskSet &set, Task &parent, Worker &worker) {
    Task &node = *allocate_task(worker, parent, 0, kRedirect | kHasDependences | kTied);
    node.invoke = nullptr;
    count_task(node);
    if (LOOMP_UNLIKELY(propagates_priorities))
        note_redirect(node, set);
    open_successors(node);
    EdgeSource edges(node, worker);
    const std::int32_t made = push_edges(set, node, edges, worker.discovery);
    node.next = nullptr;
    const TaskRef ref = ref_to(node);
    ++worker.discovery.redirects;
    if (publish_edges(node, made))
        complete_task(node);
    set.set(ref);
}

namespace {

/// Orders `task` after what its access `access` to `entry` requires, and enters it.
LOOMP_INLINE std::int32_t apply(DependenceMap::Entry &entry, Access access, Task &task,
                                EdgeSource &edges, Worker &worker) {
    std::int32_t made = 0;
    const bool is_set = access != Access::inout;
    if (is_set && entry.kind == access) {
        made = LOOMP_LIKELY(entry.previous.is_one_inline())
                   ? push_edge(entry.previous.one(), task, edges, worker.discovery)
                   : push_edges(entry.previous, task, edges, worker.discovery);
        entry.current.add(ref_to(task));
        return made;
    }
    // Not where the task named the address before: the node would wait for it, and it for the node.
    if (is_set && LOOMP_UNLIKELY(entry.current.size() >= kRedirectThreshold) &&
        (entry.current.end() - 1)->task != &task)
        collapse(entry.current, *task.parent, worker);
    made = push_edges(entry.current, task, edges, worker.discovery);
    if (is_set)
        entry.previous.swap(entry.current);
    entry.current.set(ref_to(task));
    entry.kind = access;
    return made;
}

LOOMP_NOINLINE std::int32_t apply_all_memory(DependenceMap &map, Task &task, EdgeSource &edges,
                                             Worker &worker) {
    std::int32_t made = push_edges(map.all_memory, task, edges, worker.discovery);
    map.for_each([&](DependenceMap::Entry &entry) {
        made += push_edges(entry.current, task, edges, worker.discovery);
    });
    map.clear();
    map.all_memory.set(ref_to(task));
    return made;
}

/// The access as far as the order goes. An empty node runs nothing that a lock could guard; what
/// its waiter runs afterwards must not meet the set's members either: it is ordered after them.
LOOMP_NOINLINE Access enter_exclusion(Task &task, Worker &worker, std::size_t at_most) {
    if (task.has(kRedirect) || task.has(kNodeOnly))
        return Access::inout;
    if (!task.has(kExclusive))
        reserve_exclusions(worker, task, at_most);
    return Access::mutexinoutset;
}

} // namespace

bool link_dependences(Task &task, const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &parent = *task.parent;
    if (LOOMP_UNLIKELY(parent.map == nullptr))
        parent.map = new DependenceMap;
    DependenceMap &map = *parent.map;
    open_successors(task);
    const std::uint32_t number = map.next_link_number();
    EdgeSource edges(task, worker);
    std::int32_t made = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Dependence &dependence = dependences[i];
        if (LOOMP_UNLIKELY(dependence.all_memory)) {
            made += apply_all_memory(map, task, edges, worker);
            continue;
        }
        Access access = dependence.access;
        if (LOOMP_UNLIKELY(access == Access::mutexinoutset))
            access = enter_exclusion(task, worker, count - i);
        DependenceMap::Entry &entry = map.find(dependence.address);
        if (LOOMP_UNLIKELY(entry.seen_by == number)) {
            ++worker.discovery.addresses_merged;
            if (access <= entry.seen)
                continue;
        }
        entry.seen_by = number;
        entry.seen = access;
        if (access == Access::inout && LOOMP_LIKELY(entry.current.is_one_inline())) {
            // A writer after one task, most often another writer.
            made += push_edge(entry.current.one(), task, edges, worker.discovery);
            entry.current.set(ref_to(task));
            entry.kind = Access::inout;
            continue;
        }
        const bool fresh = entry.kind != access;
        made += apply(entry, access, task, edges, worker);
        if (LOOMP_UNLIKELY(access == Access::mutexinoutset))
            add_exclusion(task, map.exclusion_at(entry, fresh));
    }
    task.next = nullptr;
    return publish_edges(task, made);
}

void enter_accesses(Task &task, const Dependence *dependences, std::size_t count) {
    DependenceMap &map = *task.parent->map;
    const std::uint32_t number = map.next_link_number();
    for (std::size_t i = 0; i < count; ++i) {
        const Dependence &dependence = dependences[i];
        if (dependence.all_memory) {
            map.clear();
            map.all_memory.set(ref_to(task));
            continue;
        }
        DependenceMap::Entry &entry = map.find(dependence.address);
        if (entry.seen_by == number && dependence.access <= entry.seen)
            continue;
        entry.seen_by = number;
        entry.seen = dependence.access;
        const bool is_set = dependence.access != Access::inout;
        if (is_set && entry.kind == dependence.access) {
            entry.current.add(ref_to(task));
            continue;
        }
        if (is_set)
            entry.previous.swap(entry.current);
        entry.current.set(ref_to(task));
        entry.kind = dependence.access;
    }
}

bool link_after(Task &task, const TaskRef &predecessor) {
    Worker &worker = *Worker::current();
    open_successors(task);
    EdgeSource edges(task, worker);
    const std::int32_t made = push_edge(predecessor, task, edges, worker.discovery);
    task.next = nullptr;
    return publish_edges(task, made);
}

void enter_access(DependenceMap::Entry &entry, Access access, Task &task, Task &parent,
                  TaskSet &predecessors) {
    const bool is_set = access != Access::inout;
    if (is_set && entry.kind == access) {
        predecessors.add_all(entry.previous);
        entry.current.add(ref_to(task));
        return;
    }
    if (is_set && entry.current.size() >= kRedirectThreshold)
        collapse(entry.current, parent, *Worker::current());
    predecessors.add_all(entry.current);
    if (is_set)
        entry.previous.swap(entry.current);
    entry.current.set(ref_to(task));
    entry.kind = access;
}

void enter_all_memory(DependenceMap &map, Task &task, TaskSet &predecessors) {
    predecessors.add_all(map.all_memory);
    map.for_each([&](const DependenceMap::Entry &entry) { predecessors.add_all(entry.current); });
    map.clear();
    map.all_memory.set(ref_to(task));
}

std::int32_t make_edges(Task &task, const TaskSet &predecessors, Worker &worker) {
    EdgeSource edges(task, worker);
    const std::int32_t made = push_edges(predecessors, task, edges, worker.discovery);
    task.next = nullptr;
    return made;
}

} // namespace loomp::core
