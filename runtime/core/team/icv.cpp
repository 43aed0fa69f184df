#include "runtime/core/team/icv.h"

#include <utility>

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/memory/allocator.h"
#include "runtime/core/task/task.h"

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

} // namespace

Icvs initial_icvs() {
    const Settings &s = settings();
    Icvs icvs = {};
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

Icvs child_icvs(const Icvs &parent, const ProcBind *clause, const std::vector<int> *num_threads) {
    const Settings &s = settings();
    Icvs icvs = parent;
    icvs.owned_next = nullptr;
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

Icvs &modify_icvs(Task &task) {
    const bool childless =
        task.created == 0 && children::all_released(task.children.load(std::memory_order_acquire));
    if (task.has(kOwnsIcvs) && childless)
        return *task.icvs;
    auto *block = new Icvs(*task.icvs);
    // Older blocks stay, because children may be reading them.
    block->owned_next = task.has(kOwnsIcvs) ? task.icvs : nullptr;
    task.icvs = block;
    task.flags |= kOwnsIcvs;
    return *block;
}

void free_icvs(Task &task) {
    Icvs *block = task.icvs;
    while (block != nullptr) {
        Icvs *next = block->owned_next;
        delete block;
        block = next;
    }
    task.icvs = nullptr;
    task.flags &= ~kOwnsIcvs;
}

} // namespace loomp::core
