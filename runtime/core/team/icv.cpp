#include "runtime/core/team/icv.h"

#include <utility>

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/memory/allocator.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

SpinLock lists_lock; ///< guards the lists of keep_num_threads()
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(lists_lock); });

/// Returns element `level` of a list-valued setting; the last one applies to all deeper levels.
template <class T> T element(const std::vector<T> &list, int level, T fallback) {
    if (list.empty())
        return fallback;
    const auto last = static_cast<int>(list.size()) - 1;
    return list[static_cast<std::size_t>(level < last ? level : last)];
}

/// The values that tasks outside of the runtime's threads see.
struct OutsideTasks {
    IcvValues values;
    const OutsideTasks *earlier; ///< keeps it reachable, for leak checkers
};
constexpr OutsideTasks kBeforeStart = {{.num_threads = 1,
                                        .num_threads_level = 0,
                                        .num_threads_list = nullptr,
                                        .bind_level = 0,
                                        .dynamic = false,
                                        .monotonic_given = false,
                                        .run_schedule = ScheduleKind::static_,
                                        .run_chunk = 0,
                                        .max_active_levels = 1,
                                        .thread_limit = INT_MAX,
                                        .default_device = 0,
                                        .bind = ProcBind::false_,
                                        .default_allocator = 1,
                                        .returned = nullptr,
                                        .returned_data = nullptr},
                                       nullptr};
Atomic<const OutsideTasks *> outside_tasks{&kBeforeStart};

} // namespace

IcvValues initial_icvs() {
    const Settings &s = settings();
    IcvValues icvs = {};
    icvs.num_threads = element(s.num_threads, 0, 1);
    icvs.num_threads_list = &s.num_threads;
    icvs.dynamic = s.dynamic;
    icvs.run_schedule = s.schedule;
    icvs.run_chunk = s.schedule_chunk;
    icvs.monotonic_given = s.schedule_monotonic;
    icvs.max_active_levels = s.max_active_levels;
    icvs.thread_limit = s.thread_limit;
    icvs.default_device = s.default_device;
    icvs.bind = element(s.proc_bind, 0, ProcBind::false_);
    icvs.default_allocator = initial_allocator();
    return icvs;
}

const IcvValues &icvs_outside_tasks() {
    (void)settings_are_known();
    // acquire: sees the block's values.
    return outside_tasks.load(std::memory_order_acquire)->values;
}

void note_initial_icvs() {
    // release: the values. Never freed, because any thread may be reading an earlier block.
    outside_tasks.store(
        new OutsideTasks{initial_icvs(), outside_tasks.load(std::memory_order_relaxed)},
        std::memory_order_release);
}

Icvs child_icvs(const IcvValues &parent, const ProcBind *clause,
                const std::vector<int> *num_threads) {
    const Settings &s = settings();
    Icvs icvs = {parent};
    icvs.num_threads_level = parent.num_threads_level + 1;
    if (LOOMP_UNLIKELY(num_threads != nullptr)) { // its first element is this region's
        icvs.num_threads_list = num_threads;
        icvs.num_threads_level = 1;
    }
    const std::vector<int> &list = *icvs.num_threads_list;
    if (static_cast<std::size_t>(icvs.num_threads_level) < list.size())
        icvs.num_threads = list[static_cast<std::size_t>(icvs.num_threads_level)];
    icvs.bind_level = parent.bind_level + 1;
    // The clause applies inside the region only if the list has no element for it.
    if (static_cast<std::size_t>(icvs.bind_level) < s.proc_bind.size())
        icvs.bind = s.proc_bind[static_cast<std::size_t>(icvs.bind_level)];
    else if (clause != nullptr && parent.bind != ProcBind::false_)
        icvs.bind = *clause;
    return icvs;
}

const std::vector<int> *keep_num_threads(const int *list, std::size_t count) {
    std::vector<int> wanted(list, list + count);
    const SpinGuard guard(lists_lock);
    static auto &kept = *new std::vector<const std::vector<int> *>;
    for (const std::vector<int> *one : kept)
        if (*one == wanted)
            return one;
    kept.push_back(new std::vector<int>(std::move(wanted)));
    return kept.back();
}

namespace {

void free_chain(Icvs *block) {
    while (block != nullptr)
        delete std::exchange(block, block->owned_next);
}

/// Takes a block with these values out of the chain; null: there is none among the first ones.
Icvs *take_equal(Icvs **link, const IcvValues &values) {
    for (int looks = 8; *link != nullptr && looks > 0; --looks, link = &(*link)->owned_next)
        if (static_cast<const IcvValues &>(**link) == values) {
            Icvs *found = *link;
            *link = found->owned_next;
            return found;
        }
    return nullptr;
}

} // namespace

void set_icvs(Task &task, const IcvValues &values) {
    if (static_cast<const IcvValues &>(*task.icvs) == values)
        return;
    const Worker &worker = *Worker::current();
    Icvs *own = task.has(kOwnsIcvs) ? task.icvs : nullptr;
    Icvs *block = nullptr;
    if (own != nullptr) {
        // acquire: children have read theirs.
        const bool childless =
            task.created == 0 &&
            children::all_released(task.children.load(std::memory_order_acquire));
        if (childless)
            free_chain(std::exchange(own->owned_next, nullptr));
        block = take_equal(&own->owned_next, values);
        const bool unread =
            childless || (own->worker == &worker && own->created_before == worker.discovery.tasks);
        if (block == nullptr && unread) {
            static_cast<IcvValues &>(*own) = values;
            return;
        }
    }
    if (block == nullptr) {
        block = new Icvs{values};
        // A tied task creates all of its children on this thread.
        block->worker = task.has(kTied) ? &worker : nullptr;
        block->created_before = worker.discovery.tasks;
    } else {
        block->worker = nullptr; // older children may be reading it
    }
    block->owned_next = own;
    task.icvs = block;
    task.flags |= kOwnsIcvs;
}

void free_icvs(Task &task) {
    // Cleared before a signal handler can see a freed block.
    free_chain(std::exchange(task.icvs, nullptr));
    task.flags &= ~kOwnsIcvs;
}

} // namespace loomp::core
