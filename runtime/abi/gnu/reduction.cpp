#include "runtime/abi/gnu/reduction.h"

#include <cstdlib>
#include <cstring>
#include <vector>

#include "platform/atomic.h"
#include "platform/diagnostics.h"
#include "platform/export.h"
#include "runtime/abi/gnu/gnu.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/scheduling/waiting.h"
#include "runtime/core/team/barrier.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::abi::gnu {

namespace {

// Words of the compiler's array: a header, then three words for each item, ordered by offset.
enum : unsigned {
    kItems = 0,  ///< number of items
    kSize = 1,   ///< bytes of one thread's copies
    kMemory = 2, ///< at entry: alignment; at return: the copies of thread 0; the others follow
    kShared = 3, ///< at entry: an allocator, unused; of worksharing: its Shared
    kNext = 4,   ///< next array of the same construct; the last one's: the outer construct's array
    kIsHead = 5, ///< loomp's: 1 in a construct's first array
    kEnd = 6,    ///< out: end of the copies
    kFirstItem = 7,
    kItemWords = 3, ///< address, offset, and an unused word of loomp's
};

std::uintptr_t *next_array(const std::uintptr_t *d) {
    return reinterpret_cast<std::uintptr_t *>(d[kNext]);
}

/// Calls `f` for each array of a registered construct.
template <class F> void for_each_array(std::uintptr_t *data, F f) {
    const std::uintptr_t *d = data;
    do {
        f(d);
        d = next_array(d);
    } while (d != nullptr && d[kIsHead] == 0);
}

void *allocate_copies(std::size_t alignment, std::size_t size) {
    alignment = std::max(alignment, sizeof(void *));
    void *memory = core::or_fatal(
        std::aligned_alloc(alignment, core::round_up(std::max<std::size_t>(size, 1), alignment)),
        "out of memory: %zu bytes for task reductions", size);
    std::memset(memory, 0, size);
    return memory;
}

/// The copies of one array's items, for all threads.
struct Copies {
    std::uintptr_t memory;
    std::uintptr_t end;
};

/// The first member of a worksharing construct stores it in the slot for the others. It owns the
/// copies of a construct with reductions, and states where they are, because the compiler's arrays
/// are on a member's stack: the member may leave a cancelled region before another one enters the
/// construct.
struct Shared {
    void *scratch = nullptr;
    std::vector<Copies> copies = {}; ///< of each array, in the construct's order
    Atomic<int> done{0};             ///< members that need the copies no more

    void free_copies() {
        for (const Copies &each : copies)
            std::free(reinterpret_cast<void *>(each.memory));
        copies.clear();
    }
};

void dispose_shared(void *p) {
    auto *shared = static_cast<Shared *>(p);
    std::free(shared->scratch);
    shared->free_copies();
    delete shared;
}

/// Returns the innermost registered array that the task sees.
std::uintptr_t *reductions_of(const core::Task &task) {
    for (const core::TaskGroup *group = task.group; group != nullptr; group = group->outer)
        if (group->reductions != nullptr)
            return static_cast<std::uintptr_t *>(group->reductions);
    return nullptr;
}

/// Replaces `item` by the copy of thread `num`. `item` is an original or any thread's copy. Returns
/// the original.
void *remap(const std::uintptr_t *data, void *&item, unsigned num) {
    const auto address = reinterpret_cast<std::uintptr_t>(item);
    for (const std::uintptr_t *d = data; d != nullptr; d = next_array(d)) {
        const bool is_copy = address >= d[kMemory] && address < d[kEnd];
        const std::uintptr_t offset = is_copy ? (address - d[kMemory]) % d[kSize] : 0;
        for (std::uintptr_t i = 0; i < d[kItems]; ++i) {
            const std::uintptr_t *entry = d + kFirstItem + i * kItemWords;
            if (is_copy ? entry[1] != offset : entry[0] != address)
                continue;
            item = reinterpret_cast<void *>(d[kMemory] + num * d[kSize] + entry[1]);
            return reinterpret_cast<void *>(entry[0]);
        }
        if (is_copy) { // inside an item, such as an array section's element
            item = reinterpret_cast<void *>(d[kMemory] + num * d[kSize] + offset);
            return nullptr;
        }
    }
    core::fatal("in_reduction of an item at %p that no enclosing task_reduction names", item);
}

/// Chains the arrays of a construct, which begin with `data`, before `outer`. `copies_for` returns
/// the copies for each array.
template <class CopiesFor>
void register_reductions(std::uintptr_t *data, std::uintptr_t *outer, CopiesFor copies_for) {
    std::uintptr_t *d = data;
    for (;;) {
        const Copies copies = copies_for(d);
        d[kMemory] = copies.memory;
        d[kEnd] = copies.end;
        d[kIsHead] = 0;
        if (d[kNext] == 0)
            break;
        d = next_array(d);
    }
    d[kNext] = reinterpret_cast<std::uintptr_t>(outer);
    data[kIsHead] = 1;
}

/// Returns a function that allocates the copies of an array for `threads` threads.
auto new_copies(int threads) {
    return [threads](const std::uintptr_t *d) {
        const std::size_t size = d[kSize] * static_cast<unsigned>(threads);
        const auto memory = reinterpret_cast<std::uintptr_t>(allocate_copies(d[kMemory], size));
        return Copies{memory, memory + size};
    };
}

} // namespace

bool enter_with_reductions(core::Member &member, std::uintptr_t *reductions, void **memory,
                           std::uint64_t doacross_iterations) {
    core::Task &task = *core::Worker::current()->task;
    if (reductions != nullptr)
        core::begin_taskgroup().is_worksharing = true;
    std::uintptr_t *outer = reductions_of(task);
    const bool publishes = reductions != nullptr || memory != nullptr || doacross_iterations != 0;
    const bool first = core::enter_work(member, publishes);
    core::WorkSlot &slot = *member.work.slot;
    if (first) {
        auto *shared = new Shared{};
        if (reductions != nullptr) {
            register_reductions(reductions, outer,
                                [shared, allocate = new_copies(member.team->size)](const auto *d) {
                                    return shared->copies.emplace_back(allocate(d));
                                });
            slot.outlives_use = true; // the last ones to add, and to read, have left it
        }
        if (memory != nullptr) {
            const auto size = reinterpret_cast<std::size_t>(*memory);
            shared->scratch = core::or_fatal(std::calloc(1, std::max<std::size_t>(size, 1)),
                                             "out of memory: %zu bytes for a loop", size);
        }
        if (doacross_iterations != 0)
            core::make_doacross(slot, doacross_iterations);
        slot.front_end = shared;
        slot.dispose = dispose_shared;
        core::publish_work(member);
    } else if (reductions != nullptr) {
        const Copies *next = static_cast<Shared *>(slot.front_end)->copies.data();
        register_reductions(reductions, outer, [next](const auto *) mutable { return *next++; });
    }
    if (memory != nullptr)
        *memory = static_cast<Shared *>(slot.front_end)->scratch;
    if (reductions != nullptr) {
        reductions[kShared] = reinterpret_cast<std::uintptr_t>(slot.front_end);
        task.group->reductions = reductions;
    }
    return first;
}

} // namespace loomp::abi::gnu

using namespace loomp;
using namespace loomp::abi::gnu;

LOOMP_EXPORT void GOMP_taskgroup_reduction_register(std::uintptr_t *data) {
    core::Worker &worker = *core::Worker::current();
    core::Task &task = *worker.task;
    register_reductions(data, reductions_of(task), new_copies(worker.member->team->size));
    task.group->reductions = data;
}

LOOMP_EXPORT void GOMP_taskgroup_reduction_unregister(std::uintptr_t *data) {
    for_each_array(
        data, [](const std::uintptr_t *d) { std::free(reinterpret_cast<void *>(d[kMemory])); });
}

LOOMP_EXPORT void GOMP_task_reduction_remap(std::size_t count, std::size_t originals,
                                            void **items) {
    core::Worker &worker = *core::Worker::current();
    core::tie_running_task(worker); // the copies are the thread's
    const std::uintptr_t *data = reductions_of(*worker.task);
    for (std::size_t i = 0; i < count; ++i) {
        void *original = remap(data, items[i], static_cast<unsigned>(worker.member->num));
        if (i < originals)
            items[count + i] = original;
    }
}

LOOMP_EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled) {
    const auto *data =
        static_cast<std::uintptr_t *>(core::Worker::current()->task->group->reductions);
    core::end_taskgroup();
    if (cancelled) // tasks of others may still add to the copies
        return;
    core::Member &member = here();
    auto *shared = reinterpret_cast<Shared *>(data[kShared]);
    // acq_rel: the last member frees what the others no longer use.
    if (shared->done.fetch_add(1, std::memory_order_acq_rel) + 1 == member.team->size)
        shared->free_copies();
    core::barrier(member);
}

LOOMP_EXPORT unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned num_threads,
                                               unsigned flags) {
    LOOMP_TOOL_ENTRY();
    // The compiler stores the array's address in the first word of the shared data.
    struct Region {
        Outlined outlined;
        core::TaskGroup group;
        std::uintptr_t *reductions;
    } region{{fn, data}, {}, *static_cast<std::uintptr_t **>(data)};
    core::ParallelRequest request =
        make_request(region.outlined, num_threads, flags, __builtin_return_address(0));
    request.data = &region;
    request.prepare = [](core::Team &team, void *p) {
        auto *r = static_cast<Region *>(p);
        register_reductions(r->reductions, nullptr, new_copies(team.size));
        r->group.reductions = r->reductions;
        team.initial_group = &r->group;
    };
    const core::Team &team = core::begin_parallel(request);
    const auto size = static_cast<unsigned>(team.size);
    fn(data);
    core::end_parallel();
    return size;
}
