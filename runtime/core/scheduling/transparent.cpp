#include "runtime/core/scheduling/transparent.h"

#include <algorithm>

#include "runtime/core/dependences/linking.h"
#include "runtime/core/dependences/successors.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

/// One entry of a transparent task's first attached block.
struct Export {
    const void *address; ///< null: omp_all_memory
    Task *proxy;
};

/// A proxy's count of predecessors starts with it, far more than the edges.
constexpr std::int32_t kGuard = 1 << 30;

struct Exports {
    Export *begin;
    std::uint32_t &count;
};

Exports exports_of(Task &task) {
    return {static_cast<Export *>(task.attached->contents()), task.attached->count};
}

/// The order that an access asks for. Locks of a set belong to one map.
Access order_of(Access access) { return access == Access::mutexinoutset ? Access::inout : access; }

/// The node that stands for what `task` and its children do to `address`.
Task &add_proxy(Worker &worker, Task &task, const void *address) {
    Task &proxy = *allocate_task(worker, task, 0, kRedirect | kHasDependences | kTied);
    proxy.invoke = nullptr;
    // relaxed: a thread that may change it learns of the node as a successor, when it is linked.
    proxy.predecessors.set(kGuard);
    open_successors(proxy);
    const Exports exports = exports_of(task);
    exports.begin[exports.count++] = {address, &proxy};
    ++worker.discovery.redirects;
    return proxy;
}

/// How many locations the clause names; notes the strongest access to each in the map. 1 with
/// omp_all_memory, which makes the rest redundant.
std::uint32_t note_accesses(DependenceMap &map, const Dependence *dependences, std::size_t count) {
    const std::uint32_t number = map.next_link_number();
    std::uint32_t locations = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (dependences[i].all_memory)
            return 1;
        DependenceMap::Entry &entry = map.find(dependences[i].address);
        const Access access = order_of(dependences[i].access);
        if (entry.seen_by != number) {
            ++locations;
            entry.seen_by = number;
            entry.seen = access;
        } else {
            entry.seen = std::max(entry.seen, access);
        }
    }
    return locations;
}

/// Later tasks that name any location are ordered after one node.
void import_all_memory(Worker &worker, Task &task, TaskSet &predecessors) {
    if (predecessors.size() > 1)
        collapse(predecessors, *task.parent, worker);
    if (!predecessors.empty())
        task.map->all_memory.set(*predecessors.begin());
}

} // namespace

void enter_transparent(Worker &worker, Task &task, const Dependence *dependences, std::size_t count,
                       TaskSet &predecessors) {
    Task &parent = *task.parent;
    if (parent.map == nullptr)
        parent.map = new DependenceMap;
    parent.flags |= kHasTransparent;
    DependenceMap &map = *parent.map;
    const std::uint32_t locations = note_accesses(map, dependences, count);
    attach_block(worker, task, locations * sizeof(Export), 0);
    task.flags |= kExports;
    const bool imports = imports_accesses(task);
    if (imports)
        task.map = new DependenceMap;
    const Dependence *all =
        std::find_if(dependences, dependences + count, [](auto &d) { return d.all_memory; });
    if (all != dependences + count) {
        enter_all_memory(map, add_proxy(worker, task, nullptr), parent, predecessors);
        if (imports) {
            import_all_memory(worker, task, predecessors);
            predecessors.clear();
        }
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const void *address = dependences[i].address;
        DependenceMap::Entry &entry = map.find(address);
        if (entry.seen == Access::none)
            continue; // done: the clause names it twice
        const Access access = entry.seen;
        entry.seen = Access::none;
        // Imported accesses are of no kind: every access of a child comes after them.
        enter_access(entry, access, add_proxy(worker, task, address), parent,
                     imports ? task.map->find(address).current : predecessors);
    }
}

void enter_begun_transparent(Task &task, const Dependence *dependences, std::size_t count) {
    task.flags &= ~TaskFlags{kWeak};
    TaskSet completed;
    enter_transparent(*Worker::current(), task, dependences, count, completed);
    completed.free_storage();
}

void export_accesses(Worker &worker, Task &task, void (*complete)(Task &)) {
    const Exports exports = exports_of(task);
    // All are counted before the first may complete, in the group in which the task ends. If they
    // were made while it waited in a group that it had opened (enter_begun_transparent()), they
    // have that one, which may be gone.
    for (std::uint32_t i = 0; i < exports.count; ++i) {
        exports.begin[i].proxy->group = task.group;
        count_task(*exports.begin[i].proxy);
    }
    for (std::uint32_t i = 0; i < exports.count; ++i) {
        const auto [address, proxy] = exports.begin[i];
        transition(*proxy, TaskPhase::created, TaskPhase::linked);
        TaskSet last;
        if (task.map != nullptr && address != nullptr) {
            last.add_all(task.map->find(address).current);
        } else if (task.map != nullptr) {
            last.add_all(task.map->all_memory);
            task.map->for_each(
                [&](const DependenceMap::Entry &entry) { last.add_all(entry.current); });
        }
        // More edges than the proxy's block has room for would come from another worker's memory
        // than the block: they go to a node of this worker's.
        if (last.size() > kInlineEdges)
            collapse(last, task, worker);
        const std::int32_t change = make_edges(*proxy, last, worker) - kGuard;
        last.free_storage();
        if (proxy->predecessors.add(change))
            complete(*proxy);
    }
}

} // namespace loomp::core
