// The life of a kept task (persistent.h): it is made, launched, completed and freed.
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/dependences/successors.h"
#include "runtime/core/persistent/persistent_graph.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/team/icv.h"

namespace loomp::core {

namespace {

/// A replayed task's payload is followed by the one that each use begins with.
std::size_t image_offset(std::size_t payload) {
    return round_up(payload, alignof(std::max_align_t));
}

SpinLock retired_lock;
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(retired_lock); });
KeptTasks *retired = nullptr; ///< guarded by retired_lock

void sweep_retired() {
    KeptTasks *idle = nullptr;
    {
        const SpinGuard guard(retired_lock);
        for (KeptTasks **link = &retired; *link != nullptr;) {
            KeptTasks *kept = *link;
            if (!kept->idle()) {
                link = &kept->next_retired;
                continue;
            }
            *link = kept->next_retired;
            kept->next_retired = idle;
            idle = kept;
        }
    }
    while (idle != nullptr)
        delete std::exchange(idle, idle->next_retired);
}

/// `room`: bytes behind the descriptor. Edges are no part of it: where a deviating iteration adds
/// some to a task, they get a block.
Task *make_kept(Worker &worker, Task &producer, KeptNode &node, std::size_t room) {
    constexpr std::size_t edges = kInlineEdges * sizeof(Edge);
    Task *task = allocate_task(worker, producer, room - std::min(room, edges), node.flags);
    --worker.discovery.tasks; // it is counted when it is launched
    task->attached = &node;
    transition(*task, TaskPhase::created, TaskPhase::completed); // as if a use were over
    const std::uint64_t serial = task->serial.load(std::memory_order_relaxed);
    task->successors.store(successors::tag(serial) | successors::kClosed,
                           std::memory_order_relaxed);
    return task;
}

void restore_payload(Task &task, const KeptNode &node) {
    if (node.payload != 0)
        std::memcpy(task.payload(),
                    static_cast<char *>(task.payload()) + image_offset(node.payload), node.payload);
}

/// Takes over the recorded dependences, which are in the order of the entries.
void keep_dependences(KeptTasks &kept, Recording &recording) {
    kept.first_dependence.reserve(recording.entries.size() + 1);
    std::uint32_t count = 0;
    for (const Recording::Entry &entry : recording.entries) {
        LOOMP_ASSERT(entry.accesses.count == 0 || entry.accesses.first == count);
        kept.first_dependence.push_back(count);
        count += entry.accesses.count;
    }
    kept.first_dependence.push_back(count);
    kept.dependences = std::move(recording.dependences);
    kept.dependences.shrink_to_fit();
}

/// Distributes the plan's edges to the nodes.
void wire(KeptTasks &kept, const GraphPlan &plan, bool replayed) {
    GrowingArray<KeptNode> &nodes = kept.nodes;
    GrowingArray<std::uint32_t> inside, crossing; // edges to, edges from
    inside.make(plan.nodes);
    crossing.make(plan.nodes);
    for (const GraphEdge &edge : plan.edges) {
        ++nodes[edge.from].count;
        ++nodes[edge.to].armed;
        ++(edge.crosses ? crossing[edge.from] : inside[edge.to]);
    }
    kept.successors.make(plan.edges.size());
    Task **at = kept.successors.data();
    for (std::uint32_t i = 0; i < plan.nodes; ++i) {
        KeptNode &node = nodes[i];
        if (node.task == nullptr)
            continue;
        const std::uint32_t out = std::exchange(node.count, 0);
        node.successors = at;
        at += out;
        const bool joins = i >= plan.tasks;
        // The producer drops this one; in replay, the start of an iteration does.
        const int guard = !joins && (!replayed || inside[i] == 0);
        node.kind |= NodeKind::with_crossing(crossing[i]);
        node.armed += guard;
        // When nothing runs, an empty node between iterations has already been passed.
        const bool between = joins && inside[i] == 0;
        node.task->predecessors.set(between ? node.armed
                                            : static_cast<std::int32_t>(inside[i]) + guard);
        if (joins)
            node.kind |= NodeKind::joins;
        if (replayed) {
            node.kind |= NodeKind::replayed;
            if (guard != 0) {
                node.kind |= NodeKind::starts;
                kept.starts.push_back(node.task);
            }
            if (!joins && out == crossing[i]) {
                node.kind |= NodeKind::last;
                ++kept.lasts;
            }
        }
    }
    inside = {}; // before the lists take their memory
    crossing = {};
    // Edges to the next iteration come first. When the last tasks of a replayed iteration have
    // completed, no thread reads the lists of the others any more.
    for (const bool crossing : {true, false})
        for (const GraphEdge &edge : plan.edges)
            if (edge.crosses == crossing) {
                KeptNode &from = nodes[edge.from];
                from.successors[from.count++] = nodes[edge.to].task;
            }
}

} // namespace

// --- Making and freeing --------------------------------------------------------------------------

std::unique_ptr<KeptTasks> keep(Worker &worker, Task &producer, Recording &recording, bool replayed,
                                bool crossing, bool checked) {
    auto kept = std::make_unique<KeptTasks>();
    keep_dependences(*kept, recording);
    bool prioritized = propagates_priorities;
    for (const Recording::Entry &entry : recording.entries)
        prioritized |= entry.priority != 0;
    const GraphPlan plan =
        plan_graph({kept->first_dependence.begin(), kept->first_dependence.end()},
                   kept->dependences, crossing);

    kept->allocations = plan.tasks;
    constexpr std::size_t looked_at = 8;
    if (!propagates_priorities) // the clauses then give the final priorities
        kept->priorities_as_of = priority_changes.load(std::memory_order_relaxed);
    if (tool_enabled && replayed)
        kept->tools.resize(kept->allocations);
    // Each node takes the place of its entry.
    GrowingArray<Recording::Entry> &entries = recording.entries;
    kept->nodes = std::move(entries).overlay<KeptNode>(plan.nodes + looked_at);
    for (std::size_t i = 0; i < plan.nodes; ++i) {
        Recording::Entry entry;
        std::memcpy(&entry, static_cast<void *>(&kept->nodes[i]), sizeof entry);
        KeptNode &node = *new (&kept->nodes[i]) KeptNode{};
        node.size_class = kNodeClass;
        node.set = kept.get();
        if (i >= kept->allocations) {
            node.flags = kKept | kRedirect | kTied;
            node.task = make_kept(worker, producer, node, 0);
            node.task->invoke = nullptr;
            continue;
        }
        const Recording::Origin origin =
            recording.origins.empty() ? Recording::Origin{} : recording.origins[i];
        node.code = entry.code.code;
        node.payload = entry.payload;
        if (prioritized)
            kept->clauses.push_back({entry.priority, origin.sending_kind});
        node.flags = entry.flags | kKept;
        if (checked)
            node.kind |= NodeKind::checked;
        if (tool_enabled || (producer.has(kPlacesNew) && entry.accesses.count == 0))
            node.kind |= NodeKind::watched;
        if (!entry.deferred)
            continue;
        ++kept->kept;
        node.task = make_kept(worker, producer, node,
                              replayed ? image_offset(entry.payload) + entry.payload
                                       : std::size_t{entry.payload});
        Task &task = *node.task;
        task.invoke = entry.invoke;
        task.route = entry.route; // counts only where it is replayed
        task.priority = entry.priority;
        if (!kept->tools.empty())
            kept->tools[i].codeptr = origin.codeptr;
        if (!replayed)
            continue;
        auto *bytes = static_cast<char *>(task.payload()) + image_offset(entry.payload);
        std::memcpy(bytes, recording.images.data() + entry.image, entry.payload);
        if (entry.code.self_at != kNoSelf) {
            // Stored as an offset plus 1 (record() in persistent_creation.cpp).
            std::uintptr_t self = 0;
            std::memcpy(&self, bytes + entry.code.self_at, sizeof self);
            if (self != 0)
                self += reinterpret_cast<std::uintptr_t>(task.payload()) - 1;
            std::memcpy(bytes + entry.code.self_at, &self, sizeof self);
        }
        restore_payload(task, node);
    }
    wire(*kept, plan, replayed);
    return kept;
}

bool KeptTasks::idle() const {
    // acquire: pairs with a completion's last access to the graph.
    if (lasts_done.load(std::memory_order_acquire) != launched * lasts)
        return false;
    for (const KeptNode &node : nodes)
        if (node.task != nullptr && ((node.task->successors.load(std::memory_order_acquire) &
                                      successors::kPointerMask) != successors::kClosed ||
                                     node.task->children.load(std::memory_order_acquire) != 0))
            return false;
    // This is read last, because each task that ended had counted its pending nodes before.
    return outstanding.load(std::memory_order_acquire) == 0;
}

KeptTasks::~KeptTasks() {
    Worker &worker = *Worker::current();
    for (KeptNode &node : nodes) {
        Task *task = node.task;
        if (task == nullptr)
            continue;
        // release_task() expects blocks in this state.
        task->attached = nullptr;
        task->predecessors.set(0);
        task->flags = 0;
        // One that was created may not have been launched.
        transition(*task, TaskPhase::created | TaskPhase::completed, TaskPhase::completed);
        release_task(worker, *task);
    }
}

void retire(std::unique_ptr<KeptTasks> kept) {
    {
        const SpinGuard guard(retired_lock);
        kept->next_retired = retired;
        retired = kept.release();
    }
    sweep_retired();
}

// --- Launching and completing --------------------------------------------------------------------

void tell_of_replay(Task &producer, KeptTasks &kept) {
    if (kept.tools.empty())
        return;
    const void *entry = producer.tool == nullptr ? nullptr : producer.tool->codeptr;
    for (std::uint32_t i = 0; i < kept.allocations; ++i) {
        const KeptNode &node = kept.nodes[i];
        if (node.task == nullptr)
            continue;
        KeptTool &tool = kept.tools[i];
        // The task itself may be running, so another object represents it.
        Task created = {};
        created.team = producer.team;
        created.flags = node.flags;
        const KeptAccesses noted = accesses_of(node);
        if (producer.tool != nullptr)
            producer.tool->codeptr = tool.codeptr;
        tool_hooks.task_create(created, noted.count != 0);
        const ListedDependences listed(noted.first, noted.count);
        tool_hooks.dependences(created, listed.data(), noted.count);
        const SpinGuard guard(kept.tools_lock);
        if (node.task->tool == nullptr)
            node.task->tool = created.tool;
        else
            tool.to_run.push_back(created.tool);
    }
    if (producer.tool != nullptr)
        producer.tool->codeptr = entry;
}

namespace {

/// The tool has seen the end of the task and of those below it. The task gets the tool data of its
/// next use, if that was reported.
LOOMP_COLD void renew_tool(Task &task, const KeptNode &node) {
    KeptTasks &kept = *node.set;
    ToolTask *old = task.tool;
    if (kept.tools.empty()) {
        task.tool = nullptr;
    } else {
        std::vector<ToolTask *> &to_run = kept.tools[index_of(node)].to_run;
        const SpinGuard guard(kept.tools_lock);
        task.tool = to_run.empty() ? nullptr : to_run.front();
        if (!to_run.empty())
            to_run.erase(to_run.begin());
    }
    delete old;
}

} // namespace

void release_kept_parent(Task &task) {
    const KeptNode &node = node_of(task);
    const bool replayed = node.is(NodeKind::replayed);
    if (LOOMP_UNLIKELY(task.tool != nullptr))
        renew_tool(task, node);
    // release: the task may be used again.
    task.children.store(0, std::memory_order_release);
    if (!replayed)
        return;
    // A replayed task's next use has waited for its children like for a predecessor.
    const bool last = task.predecessors.remove();
    // release: the last touch of the graph, unless an iteration waits for this task.
    node.set->outstanding.fetch_sub(1, std::memory_order_release);
    if (last)
        make_ready(task);
}

namespace completion {
namespace {

/// Removes everything that a use left on the descriptor, except its children. The children of a
/// task that is no leaf outlive it, and may query the tool about it.
LOOMP_NOINLINE void clean_kept(Worker &worker, Task &task, bool leaf) {
    if (task.map != nullptr)
        drop_map(task);
    if (task.has(kOwnsIcvs))
        free_icvs(task);
    task.detach.store(0, std::memory_order_relaxed);
    while (task.attached->size_class != kNodeClass) // edges of a deviating iteration
        free_first_block(worker, task);
    if (task.tool != nullptr && leaf)
        renew_tool(task, static_cast<KeptNode &>(*task.attached));
}

} // namespace

void complete_kept(Worker &worker, Task &task, Completion how) {
    const bool leaf = LOOMP_LIKELY(is_leaf(task));
    if (LOOMP_UNLIKELY((task.flags & (kOwnsIcvs | kDetachable)) != 0 || task.map != nullptr ||
                       task.tool != nullptr || task.attached->size_class != kNodeClass))
        clean_kept(worker, task, leaf);
    const KeptNode &node = static_cast<KeptNode &>(*task.attached);
    const NodeKind kind = node.kind;
    Task *const *at = node.successors;
    Task *const *const end = at + node.count;
    Task &parent = *task.parent;
    TaskGroup *group = task.group;

    // The task's own state is complete before any successor is released, because its next use may
    // start at once.
    std::int32_t armed = node.armed;
    if (kind.has(NodeKind::replayed)) {
        armed += !leaf; // release_kept_parent()
        restore_payload(task, node);
        if (!kind.has(NodeKind::joins))
            task.flags = node.flags;
    }
    task.predecessors.set(armed);
    if (LOOMP_UNLIKELY(!leaf)) {
        if (how == Completion::uncounted)
            count_task(task);
        if (kind.has(NodeKind::replayed)) // relaxed: ordered before this task's end
            node.set->outstanding.fetch_add(1, std::memory_order_relaxed);
        complete_parent(worker, task);
    }

    Member &member = *worker.member;
    const auto ready = [&](Task &successor) {
        if (keep_for_next(member, successor, how))
            return;
        constexpr TaskFlags node = kRedirect | kKept;
        // An empty node is finished soon after this task, perhaps after its end. A count shows
        // that; its list cannot, because its next use may begin elsewhere before the last access of
        // this one.
        if (LOOMP_UNLIKELY((successor.flags & node) == node) &&
            node_of(successor).is(NodeKind::joins))
            // relaxed: ordered before this task's end, or before its own count goes.
            node_of(successor).set->outstanding.fetch_add(1, std::memory_order_relaxed);
        queue_successor(successor, how);
    };
    Atomic<std::uint64_t> *lasts_done = kind.has(NodeKind::last) ? &node.set->lasts_done : nullptr;
    Atomic<std::uint32_t> *outstanding =
        kind.has(NodeKind::joins) ? &node.set->outstanding : nullptr;
    const bool opened = !kind.has(NodeKind::replayed) || kind.has(NodeKind::starts);
    for (; at != end; ++at)
        // acq_rel: our effects to the thread that runs the successor; our new counter to threads
        // that subtract from it.
        if ((*at)->predecessors.remove())
            ready(**at);
    if (outstanding != nullptr) {
        // release: the last access to the graph.
        outstanding->fetch_sub(1, std::memory_order_release);
        return; // it is no task's child, and only the plan makes it a predecessor
    }
    if (opened)
        release_successors(task, ready); // the producer may fill the task again after this
    if (lasts_done != nullptr)
        lasts_done->fetch_add(1, std::memory_order_release);
    if (LOOMP_UNLIKELY(how == Completion::uncounted && leaf))
        return;
    if (group != nullptr)
        group->complete_one();
    if (LOOMP_LIKELY(leaf))
        leaf_completed(worker, parent, how);
}

} // namespace completion
} // namespace loomp::core
