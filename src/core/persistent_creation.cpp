// What a producer creates inside an iteration: noted, matched with the kept tasks, or found to
// differ from them (persistent.h).
#include <cstring>
#include <sched.h>
#include <utility>

#include "core/message.h"
#include "core/persistent.h"
#include "core/persistent_graph.h"
#include "core/scheduler.h"

namespace loomp::core {

namespace {

using State = PersistentGraph::State;

// --- The producer's table of addresses

void enter_range(PersistentGraph &graph, std::uint32_t from, std::uint32_t to) {
    const KeptTasks &kept = *graph.kept;
    for (std::uint32_t i = from; i < to; ++i)
        if (Task *task = kept.nodes[i].task) {
            const KeptAccesses noted = accesses_of(kept.nodes[i]);
            enter_accesses(*task, noted.first, noted.count);
        }
}

void enter_accesses_of(PersistentGraph &graph) {
    if (!std::exchange(graph.entering, true)) {
        // What is still there of the iteration before: those not yet launched again.
        if ((graph.flags & kNoBarrier) != 0)
            enter_range(graph, graph.cursor(), graph.kept->allocations);
        graph.entered = 0;
    }
    enter_range(graph, graph.entered, graph.cursor());
    graph.entered = graph.cursor();
}

/// Waits until the task's last use is over: without barriers, or with children of its own that
/// outlive it.
LOOMP_NOINLINE void wait_until_reusable(Task &task) {
    wait_for_task({&task, task.serial.load(std::memory_order_relaxed)});
    while (task.children.load(std::memory_order_acquire) != 0)
        if (!taskyield())
            sched_yield();
}

// --- Recording

void record(PersistentGraph &graph, Task &task, std::size_t payload, std::uint32_t flags,
            TaskCode code) {
    Recording::Entry entry = {};
    entry.task = &task;
    entry.code = code;
    entry.payload = static_cast<std::uint32_t>(payload);
    entry.flags = flags;
    graph.recording.entries.push_back(entry);
}

void record_spawn(PersistentGraph &graph, Task &task, const Dependence *dependences,
                  std::size_t count) {
    Recording &recording = graph.recording;
    Recording::Entry *entry = recording.find(task);
    if (entry == nullptr) {
        recording.unfit = "it has a target task, which cannot be kept";
        return;
    }
    entry->deferred = true;
    entry->invoke = task.invoke;
    entry->flags = task.flags;
    entry->priority = task.priority;
    entry->accesses = {static_cast<std::uint32_t>(recording.dependences.size()),
                       static_cast<std::uint32_t>(count)};
    recording.dependences.insert(recording.dependences.end(), dependences, dependences + count);
    for (std::size_t i = 0; i < count; ++i)
        if (dependences[i].access == Access::mutexinoutset)
            recording.unfit = "mutexinoutset cannot be kept";
    if (task.has(kDetachable) || task.has(kCleanup))
        recording.unfit_replay = "a task has an event, or private variables of classes";
    if ((graph.flags & kReplay) == 0)
        return;
    entry->image = recording.images.size();
    const auto *bytes = static_cast<const char *>(task.payload());
    recording.images.insert(recording.images.end(), bytes, bytes + entry->payload);
    if (entry->code.self_at != kNoSelf) {
        // As an offset plus 1: it will point into another payload.
        char *word = recording.images.data() + entry->image + entry->code.self_at;
        std::uintptr_t self = 0;
        std::memcpy(&self, word, sizeof self);
        if (self != 0)
            self -= reinterpret_cast<std::uintptr_t>(task.payload()) - 1;
        std::memcpy(word, &self, sizeof self);
    }
}

} // namespace

Recording::Entry *Recording::find(const Task &task) {
    for (std::size_t i = entries.size(); i-- > 0;)
        if (entries[i].task == &task)
            return entries[i].deferred ? nullptr : &entries[i];
    return nullptr;
}

// --- Leaving

void leave(Task &producer, PersistentGraph &graph, const char *how) {
    enter_accesses_of(graph);
    ++Worker::current()->discovery.graphs_left;
    ++graph.failures;
    if (graph.automatic) {
        graph.stop(State::left);
        return intercept(producer, false);
    }
    if (!graph.warned)
        warn("%s: persistent graph: task %u of the iteration %s; the graph is made anew",
             graph.where, graph.cursor(), how);
    graph.warned = true;
    graph.stop(State::left);
    retire(std::move(graph.kept));
    intercept(producer, false);
}

void launch_removed(Task &producer, PersistentGraph &graph) {
    for (; graph.owner.next != graph.owner.end; ++graph.owner.next) {
        const KeptNode &node = *graph.owner.next;
        if ((node.kind & kNodeRemoved) == 0)
            return;
        Task &task = *node.task;
        if (!is_reusable(task))
            wait_until_reusable(task);
        refill(task, producer, kRedirect | kTied);
        launch(*Worker::current(), task, node);
    }
}

// --- Front ends

Task *allocate_kept(Worker &worker, Task &parent, std::size_t payload, std::uint32_t flags,
                    TaskCode code) {
    PersistentGraph &graph = current_of(parent);
    if (LOOMP_UNLIKELY(graph.state != State::executing)) {
        if (graph.owner.automatic != nullptr && choose_automatic(graph.owner, payload, code.code))
            return allocate_kept(worker, parent, payload, flags, code);
        Task *task = allocate_task(worker, parent, payload, flags);
        if (graph.state == State::recording)
            record(graph, *task, payload, flags, code);
        return task;
    }
    PersistentGraphs &graphs = graph.owner;
    launch_removed(parent, graph);
    const KeptNode &node = *graphs.next;
    const bool beyond = graphs.next == graphs.end;
    if (beyond || node.code != code.code || node.payload != payload) {
        leave(parent, graph,
              beyond                   ? "is one more than before"
              : node.code != code.code ? "has other code than before"
                                       : "has other private data than before");
        return allocate_task(*Worker::current(), parent, payload, flags);
    }
    ++graphs.next;
    Task *task = node.task;
    if (task == nullptr)
        return allocate_task(*Worker::current(), parent, payload, flags);
    if (!is_reusable(*task))
        wait_until_reusable(*task);
    refill(*task, parent, flags);
    return task;
}

namespace {

/// launch() for a kept task that gets edges besides those of the plan.
LOOMP_NOINLINE void link_and_launch(Worker &worker, Task &task, const Dependence *dependences,
                                    std::size_t count) {
    // Far more than the edges: predecessors that complete while it is linked, when the counter
    // lacks the edges made so far, must not find it ready.
    constexpr std::int32_t linking = 1 << 30;
    // relaxed: predecessors of the plan subtract from a number that stays positive.
    task.predecessors.fetch_add(linking, std::memory_order_relaxed);
    (void)link_dependences(task, dependences, count);
    ++worker.discovery.tasks;
    count_task(task);
    // acq_rel: as in launch(), whose guard goes with it.
    if (task.predecessors.fetch_sub(linking + 1, std::memory_order_acq_rel) == linking + 1)
        make_ready(task);
}

} // namespace

void spawn_kept(Task &task, const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &producer = *task.parent;
    PersistentGraph &graph = current_of(producer);
    if (LOOMP_LIKELY(task.has(kKept))) {
        KeptNode &node = node_of(task);
        if ((node.kind & kNodeChecked) != 0 && graph.state == State::executing) {
            const KeptAccesses noted = accesses_of(node);
            bool same = noted.count == count;
            for (std::size_t i = 0; same && i < count; ++i)
                same = noted.first[i].address == dependences[i].address &&
                       noted.first[i].access == dependences[i].access &&
                       noted.first[i].all_memory == dependences[i].all_memory;
            if (!same) {
                // It keeps its edges, to which those of its other dependences are added.
                --graph.owner.next;
                leave(producer, graph, "has other dependences than before");
                task.edge_space = reinterpret_cast<Edge *>(static_cast<char *>(task.payload()) +
                                                           round_up(node.payload, sizeof(Edge)));
                return link_and_launch(worker, task, dependences, count);
            }
        }
        return launch(worker, task, node);
    }
    if (graph.state == State::recording) {
        record_spawn(graph, task, dependences, count);
    } else if (count != 0) {
        if (graph.state == State::executing) {
            leave(producer, graph, "is not of the graph");
        } else if (graph.replays) {
            come_to_rest(producer, graph);
            intercept(producer, false);
        } else {
            enter_accesses_of(graph);
            graph.unsynced = true;
        }
    }
    if (count != 0)
        spawn(task, dependences, count);
    else
        spawn(worker, task);
}

void meet_undeferred(Task &task) {
    Task &producer = *task.parent;
    PersistentGraph &graph = current_of(producer);
    if (graph.state == State::recording) {
        if (Recording::Entry *entry = graph.recording.find(task))
            entry->run_by_creator = true;
    } else if (graph.state == State::executing && task.has(kKept)) {
        --graph.owner.next;
        leave(producer, graph, "is not deferred any more");
    }
}

bool leave_automatic(Task &producer) {
    PersistentGraph &graph = current_of(producer);
    if (!graph.automatic)
        return false;
    if (graph.state == State::executing) {
        leave(producer, graph, "is transparent");
    } else {
        graph.recording.unfit = "a task is transparent";
        intercept(producer, false);
    }
    return true;
}

void enter_kept_accesses(Task &producer) {
    PersistentGraph &graph = current_of(producer);
    if (graph.state == State::executing) {
        enter_accesses_of(graph);
    } else if (graph.state == State::drifting) {
        if (graph.replays) {
            come_to_rest(producer, graph);
            intercept(producer, false);
        } else {
            enter_accesses_of(graph);
            graph.unsynced = true;
        }
    }
}

void note_wait(Task &producer) {
    PersistentGraph &graph = current_of(producer);
    if (graph.state == State::recording)
        graph.recording.waited_at = graph.recording.entries.size();
}

} // namespace loomp::core
