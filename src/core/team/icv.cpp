#include "core/team/icv.h"

#include <new>

#include "core/memory/allocator.h"
#include "core/task/task.h"

namespace loomp::core {

namespace {

/// Element `level` of a list-valued setting; the last one holds for all deeper levels.
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

Icvs child_icvs(const Icvs &parent, const ProcBind *clause) {
    const Settings &s = settings();
    Icvs icvs = parent;
    icvs.owned_next = nullptr;
    icvs.num_threads_level = parent.num_threads_level + 1;
    if (static_cast<std::size_t>(icvs.num_threads_level) < s.num_threads.size())
        icvs.num_threads = s.num_threads[static_cast<std::size_t>(icvs.num_threads_level)];
    icvs.bind_level = parent.bind_level + 1;
    // The clause counts inside the region only where the list has no element for it.
    if (static_cast<std::size_t>(icvs.bind_level) < s.proc_bind.size())
        icvs.bind = s.proc_bind[static_cast<std::size_t>(icvs.bind_level)];
    else if (clause != nullptr && parent.bind != ProcBind::false_)
        icvs.bind = *clause;
    return icvs;
}

Icvs &modify_icvs(Task &task) {
    const bool childless =
        task.created == 0 && children::all_released(task.children.load(std::memory_order_acquire));
    if (task.has(kOwnsIcvs) && childless)
        return *task.icvs;
    auto *block = new Icvs(*task.icvs);
    // Older blocks of ours are kept: children may be reading them.
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
