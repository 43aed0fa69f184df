// LLVM ABI: task reductions. A taskgroup owns the copies of each reduced item. If a worksharing or
// parallel reduction has the task modifier, every member gets a taskgroup that shares the copies.
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "platform/diagnostics.h"
#include "platform/export.h"
#include "runtime/abi/llvm/kmp.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/scheduling/waiting.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::abi::llvm {
namespace {

/// The compiler's description of one item (LLVM 5.0 form).
struct OldInput {
    void *shared;
    std::size_t size;
    void *init; ///< void (*)(void *copy)
    void *fini;
    void *combine;
    std::uint32_t flags;
};

/// The compiler's description of one item since OpenMP 5.0's task_reduction with user-defined
/// initialisers.
struct Input {
    void *shared;
    void *original;
    std::size_t size;
    void *init; ///< void (*)(void *copy, void *original)
    void *fini;
    void *combine;
    std::uint32_t flags; ///< 1: a copy is made when it is first requested
};

constexpr std::uint32_t kLazy = 1;

struct Item {
    void *shared;
    void *original;
    std::size_t size;     ///< distance of two threads' copies
    char *copies;         ///< those of all threads; null if lazy
    Atomic<void *> *lazy; ///< one pointer a thread, or null
    void (*init)(void *, void *);
    void (*fini)(void *);
    void (*combine)(void *, void *);
};

/// The reductions of one taskgroup. In a worksharing or parallel construct every member has its own
/// taskgroup. It has its own shared items (private copies of the construct's variables), but uses
/// the same copies. The last member to end its group combines all copies into its items.
struct Reductions {
    int threads;
    int count;
    /// Taskgroups that use the same copies and have not ended, and the slot where members meet.
    Atomic<int> *users;
    core::CancelKind kind; ///< which cancellation leaves the construct; loop: sections, too
    Item *items() { return reinterpret_cast<Item *>(this + 1); }
};

/// Pads the size so that copies of different threads lie in different cache lines.
std::size_t padded(std::size_t size) { return core::round_up(size, core::kFalseSharing); }

void *checked(void *memory) { return core::or_fatal(memory, "out of memory: task reductions"); }

LOOMP_MAY_SWITCH void init_copy(const Item &item, void *copy) {
    if (item.init != nullptr)
        item.init(copy, item.original);
    else
        std::memset(copy, 0, item.size);
}

LOOMP_MAY_SWITCH void describe(Item &item, const Input &input, int threads) {
    item.shared = input.shared;
    item.original = input.original != nullptr ? input.original : input.shared;
    item.size = padded(input.size);
    item.copies = nullptr;
    item.lazy = nullptr;
    item.init = reinterpret_cast<void (*)(void *, void *)>(input.init);
    item.fini = reinterpret_cast<void (*)(void *)>(input.fini);
    item.combine = reinterpret_cast<void (*)(void *, void *)>(input.combine);
    const auto n = static_cast<std::size_t>(threads);
    if ((input.flags & kLazy) != 0) {
        item.lazy = static_cast<Atomic<void *> *>(checked(std::calloc(n, sizeof(void *))));
        return;
    }
    item.copies =
        static_cast<char *>(checked(std::aligned_alloc(core::kFalseSharing, n * item.size)));
    for (std::size_t i = 0; i < n; ++i)
        init_copy(item, item.copies + i * item.size);
}

Input widen(const OldInput &old) {
    return {old.shared, old.shared, old.size, old.init, old.fini, old.combine, old.flags};
}
Input widen(const Input &input) { return input; }

template <class T> LOOMP_MAY_SWITCH Reductions *make(const T *inputs, int count, int threads) {
    auto *reductions = new (
        checked(std::malloc(sizeof(Reductions) + static_cast<std::size_t>(count) * sizeof(Item))))
        Reductions;
    reductions->threads = threads;
    reductions->count = count;
    reductions->kind = core::CancelKind::taskgroup;
    reductions->users = new (checked(std::malloc(sizeof(Atomic<int>)))) Atomic<int>(1);
    for (int i = 0; i < count; ++i)
        describe(reductions->items()[i], widen(inputs[i]), threads);
    return reductions;
}

void *copy_of(const Item &item, int thread) {
    return item.lazy != nullptr ? item.lazy[thread].load(std::memory_order_relaxed)
                                : item.copies + static_cast<std::size_t>(thread) * item.size;
}

/// Makes another member's reductions: its own items, the same copies.
template <class T> Reductions *share(Reductions &original, const T *inputs) {
    const std::size_t size =
        sizeof(Reductions) + static_cast<std::size_t>(original.count) * sizeof(Item);
    void *memory = checked(std::malloc(size));
    std::memcpy(memory, static_cast<void *>(&original), size);
    auto *reductions = static_cast<Reductions *>(memory);
    for (int i = 0; i < original.count; ++i)
        reductions->items()[i].shared = widen(inputs[i]).shared;
    return reductions;
}

/// Adds every thread's copy to the shared item.
LOOMP_MAY_SWITCH void combine(Reductions &reductions) {
    LOOMP_TOOL(reduction, true);
    for (int i = 0; i < reductions.count; ++i) {
        Item &item = reductions.items()[i];
        for (int t = 0; t < reductions.threads; ++t) {
            void *copy = copy_of(item, t);
            if (copy == nullptr)
                continue;
            item.combine(item.shared, copy);
            if (item.fini != nullptr)
                item.fini(copy);
        }
    }
    LOOMP_TOOL(reduction, false);
}

void free_copies(Reductions &reductions) {
    for (int i = 0; i < reductions.count; ++i) {
        const Item &item = reductions.items()[i];
        for (int t = 0; item.lazy != nullptr && t < reductions.threads; ++t)
            std::free(copy_of(item, t));
        std::free(item.copies);
        std::free(static_cast<void *>(item.lazy));
    }
    std::free(static_cast<void *>(reductions.users));
}

/// A taskgroup ends, or all members have come to the slot. Returns whether it was the last user.
bool drop_user(Reductions &reductions) {
    // acq_rel: the thread that combines the copies sees everything that the tasks added.
    return reductions.users->fetch_sub(1, std::memory_order_acq_rel) == 1;
}

/// The slot's reductions. Members of a cancelled region may never come to it.
void dispose_original(void *p) {
    auto *original = static_cast<Reductions *>(p);
    if (drop_user(*original))
        free_copies(*original);
    std::free(p);
}

Reductions *reductions_of(core::TaskGroup &group) {
    return static_cast<Reductions *>(group.reductions);
}

/// Returns whether `address` lies in the item. A task may also use the item's storage before the
/// construct: a global variable in a called function is not the member's private copy.
bool holds(const Item &item, const void *address, int threads) {
    if (address == item.shared || address == item.original)
        return true;
    const char *p = static_cast<const char *>(address);
    if (item.lazy == nullptr)
        return p >= item.copies && p < item.copies + static_cast<std::size_t>(threads) * item.size;
    for (int t = 0; t < threads; ++t)
        if (item.lazy[t].load(std::memory_order_relaxed) == address)
            return true;
    return false;
}

LOOMP_MAY_SWITCH void destroy_copy(const Item &item, void *copy) {
    if (item.fini != nullptr)
        item.fini(copy);
    std::free(copy);
}

/// Returns the calling thread's copy of a lazy item, for a tied task. The program's initialiser may
/// wait: meanwhile, another task may make the thread's copy.
LOOMP_MAY_SWITCH void *lazy_copy(const Item &item) {
    Atomic<void *> &slot = item.lazy[here().num];
    if (void *copy = slot.load(std::memory_order_relaxed))
        return copy;
    void *fresh = checked(std::malloc(item.size));
    init_copy(item, fresh);
    if (void *copy = slot.load(std::memory_order_relaxed)) {
        destroy_copy(item, fresh);
        return copy;
    }
    slot.store(fresh, std::memory_order_relaxed);
    return fresh;
}

/// Returns the calling thread's copy of an item, in `group` or a group around it, and ties the
/// task.
LOOMP_MAY_SWITCH void *thread_copy(core::TaskGroup *group, void *address) {
    core::tie_running_task(self());
    for (; group != nullptr; group = group->outer) {
        Reductions *reductions = reductions_of(*group);
        for (int i = 0; reductions != nullptr && i < reductions->count; ++i) {
            Item &item = reductions->items()[i];
            if (!holds(item, address, reductions->threads))
                continue;
            return item.lazy == nullptr ? copy_of(item, here().num) : lazy_copy(item);
        }
    }
    core::fatal("in_reduction of an item at %p that no enclosing task_reduction names", address);
}

template <class T> LOOMP_MAY_SWITCH void *register_in_group(const T *inputs, int count) {
    core::TaskGroup &group = *self().task->group;
    group.reductions = make(inputs, count, here().team->size);
    return &group;
}

/// reduction(task, ...): the first member makes the copies, and all members share them. They meet
/// at their own slot for worksharing constructs, before that of the loop or the sections. The
/// program's initialisers may take long, and may wait for other members.
template <class T> LOOMP_STAYS void *register_shared(bool worksharing, const T *inputs, int count) {
    core::Member &member = here();
    core::TaskGroup &group = core::begin_taskgroup();
    group.is_worksharing =
        true; // not a region of the program: cancel taskgroup means the enclosing one
    core::WorkSlot *doacross = std::exchange(member.work.slot, nullptr); // the same loop's slot
    const bool first = core::enter_work(member, true);
    core::WorkSlot &slot = *member.work.slot;
    if (first) {
        Reductions *fresh = make(inputs, count, member.team->size);
        fresh->kind = worksharing ? core::CancelKind::loop : core::CancelKind::parallel;
        slot.front_end = fresh;
        slot.dispose = dispose_original;
        core::publish_work(member);
    }
    auto &original = *static_cast<Reductions *>(slot.front_end);
    original.users->fetch_add(1, std::memory_order_relaxed); // leave_work() orders it
    group.reductions = share(original, inputs);
    core::leave_work(member);
    member.work.slot = doacross;
    return &group;
}

} // namespace

void end_group_with_reductions() {
    Reductions *reductions = reductions_of(*self().task->group);
    core::end_taskgroup();
    if (reductions == nullptr)
        return;
    if (drop_user(*reductions)) {
        combine(*reductions);
        free_copies(*reductions);
    }
    std::free(static_cast<void *>(reductions));
}

bool leave_cancelled(core::CancelKind kind) {
    core::Task &task = *self().task;
    if (kind == core::CancelKind::sections)
        kind = core::CancelKind::loop;
    if (task.group != nullptr && task.group->owner == &task && task.group->is_worksharing &&
        reductions_of(*task.group)->kind == kind)
        end_group_with_reductions();
    return true;
}

} // namespace loomp::abi::llvm

using namespace loomp;
using namespace loomp::abi::llvm;

LOOMP_EXPORT void *__kmpc_task_reduction_init(std::int32_t, std::int32_t count,
                                              const OldInput *inputs) {
    return register_in_group(inputs, count);
}
LOOMP_EXPORT void *__kmpc_taskred_init(std::int32_t, std::int32_t count, const Input *inputs) {
    return register_in_group(inputs, count);
}
LOOMP_EXPORT void *__kmpc_task_reduction_get_th_data(std::int32_t, core::TaskGroup *group,
                                                     void *address) {
    return thread_copy(group != nullptr ? group : self().task->group, address);
}
LOOMP_EXPORT void *__kmpc_task_reduction_modifier_init(Ident *, std::int32_t,
                                                       std::int32_t worksharing, std::int32_t count,
                                                       const OldInput *inputs) {
    return register_shared(worksharing != 0, inputs, count);
}
LOOMP_EXPORT void *__kmpc_taskred_modifier_init(Ident *, std::int32_t, std::int32_t worksharing,
                                                std::int32_t count, const Input *inputs) {
    return register_shared(worksharing != 0, inputs, count);
}
LOOMP_EXPORT void __kmpc_task_reduction_modifier_fini(Ident *, std::int32_t, std::int32_t) {
    end_group_with_reductions();
}
