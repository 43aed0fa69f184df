// The producer's creations inside an iteration: they are recorded, matched with the kept tasks, or
// found to differ from them (persistent.h).
#include <algorithm>
#include <cstring>
#include <utility>

#include "platform/diagnostics.h"
#include "platform/threads.h"
#include "runtime/core/dependences/linking.h"
#include "runtime/core/persistent/persistent.h"
#include "runtime/core/persistent/persistent_graph.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/placing.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/sending_kinds.h"
#include "runtime/core/scheduling/spawning.h"
#include "runtime/core/scheduling/waiting.h"

namespace loomp::core {

namespace {

using State = PersistentGraph::State;

// --- The producer's table of addresses

/// The unlaunched task has no use that others could wait for: the last one is over.
void enter_range(PersistentGraph &graph, std::uint32_t from, std::uint32_t to) {
    const KeptTasks &kept = *graph.kept;
    for (std::uint32_t i = from; i < to; ++i)
        if (Task *task = kept.nodes[i].task; task != nullptr && task != graph.owner.unlaunched) {
            const KeptAccesses noted = accesses_of(kept.nodes[i]);
            enter_accesses(*task, ListedDependences(noted.first, noted.count).data(), noted.count);
        }
}

/// Returns how many allocations of this iteration are launched. One is not while its creator
/// evaluates its clauses, or waits for its predecessors: clang's code does that for a task with a
/// false if clause. Those behind it are no kept tasks.
std::uint32_t launched(const PersistentGraph &graph) {
    Task *filled = graph.owner.unlaunched;
    return graph.state == State::executing && filled != nullptr
               ? std::min(graph.cursor(), static_cast<std::uint32_t>(index_of(node_of(*filled))))
               : graph.cursor();
}

void enter_accesses_of(PersistentGraph &graph) {
    if (!std::exchange(graph.entering, true)) {
        // Adds the tasks of the previous iteration that are not yet launched again.
        if ((graph.flags & kNoBarrier) != 0)
            enter_range(graph, graph.cursor(), graph.kept->allocations);
        graph.entered = 0;
    }
    const std::uint32_t end = launched(graph);
    enter_range(graph, graph.entered, end);
    graph.entered = end;
}

/// Waits until the task's last use is over: without barriers, or if its own children outlive it.
LOOMP_MAY_SWITCH LOOMP_NOINLINE void wait_until_reusable(Task &task) {
    wait_for_task({&task, task.serial.load(std::memory_order_relaxed)});
    while (task.children.load(std::memory_order_acquire) != 0)
        if (!taskyield())
            offer_processor();
}

// --- Recording

void record(PersistentGraph &graph, Task &task, std::size_t payload, TaskFlags flags,
            TaskCode code) {
    Recording::Entry entry = {};
    entry.task = &task;
    entry.code = code;
    entry.payload = static_cast<std::uint32_t>(payload);
    entry.flags = flags;
    graph.recording.entries.push_back(entry);
    if (LOOMP_UNLIKELY(tool_enabled || propagates_priorities))
        graph.recording.origins.push_back({});
}

void record_spawn(PersistentGraph &graph, Task &task, const Dependence *dependences,
                  std::size_t count) {
    Recording &recording = graph.recording;
    Recording::Entry *entry = recording.find(task);
    // clang's programs run code of the creator between a task's allocation and its submission: a
    // clause may wait or begin an iteration.
    if (entry == nullptr) {
        recording.unfit = "a task was created before the iteration";
        return;
    }
    // The graph's order is that of the allocations.
    const auto number = static_cast<std::size_t>(entry - recording.entries.data());
    if (number < recording.submitted)
        recording.unfit = "a task was created in a clause of another one";
    recording.submitted = number + 1;
    entry->deferred = true;
    entry->invoke = task.invoke;
    entry->flags = task.flags;
    entry->route = task.route;
    entry->priority = task.priority;
    if (!recording.origins.empty()) {
        Recording::Origin &origin = recording.origins[number];
        if (propagates_priorities)
            origin.sending_kind = sending_kind_of(task);
        if (task.parent->tool != nullptr)
            origin.codeptr = task.parent->tool->codeptr;
    }
    entry->accesses = {static_cast<std::uint32_t>(recording.dependences.size()),
                       static_cast<std::uint32_t>(count)};
    recording.dependences.append(dependences, count);
    for (std::size_t i = 0; i < count; ++i)
        if (dependences[i].access == Access::mutexinoutset)
            recording.unfit = "mutexinoutset cannot be kept";
    if (task.has(kDetachable) || task.has(kCleanup))
        recording.unfit_replay = "a task has an event, or private variables of classes";
    if (task.has(kFusible))
        recording.unfit_replay = "a task may run in a batch, with data of its iteration";
    if (entry->code.self_at == kManySelves)
        recording.unfit_replay = "a target task has private data";
    if ((graph.flags & kReplay) == 0 || recording.unfit_replay != nullptr)
        return;
    entry->image = recording.images.size();
    const auto *bytes = static_cast<const char *>(task.payload());
    recording.images.append(bytes, entry->payload);
    if (entry->code.self_at != kNoSelf) {
        // Stored as an offset plus 1, because it will point into another payload.
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
    if (graph.owner.unlaunched != nullptr) // spawn_kept() enters its accesses
        node_of(*graph.owner.unlaunched).kind |= NodeKind::watched;
    ++Worker::current()->discovery.graphs_left;
    const bool expected = std::exchange(graph.doubted, false); // the program announced a change
    graph.failures += expected ? 0 : 1;
    if (graph.automatic) {
        graph.stop(State::left);
        return intercept(producer, false);
    }
    if (!expected && !std::exchange(graph.warned, true))
        warn("%s: persistent graph: task %u of the iteration %s; the graph is made anew",
             graph.where, graph.cursor(), how);
    graph.stop(State::left);
    retire(std::move(graph.kept));
    intercept(producer, false);
}

void launch_removed(Task &producer, PersistentGraph &graph) {
    for (; graph.owner.next != graph.owner.end; ++graph.owner.next) {
        const KeptNode &node = *graph.owner.next;
        if (!node.is(NodeKind::removed))
            return;
        if (node.task == nullptr) // its creator ran it
            continue;
        Task &task = *node.task;
        if (!is_reusable(task))
            wait_until_reusable(task);
        refill(task, producer, kRedirect | kTied);
        launch(*Worker::current(), task, node);
    }
}

// --- Front ends

Task *allocate_kept(Worker &worker, Task &parent, std::size_t payload, TaskFlags flags,
                    TaskCode code) {
    PersistentGraph &graph = current_of(parent);
    if (LOOMP_UNLIKELY(graph.state != State::executing)) {
        if (graph.owner.automatic != nullptr && choose_automatic(parent, payload, code.code))
            return allocate_kept(worker, parent, payload, flags, code);
        Task *task = allocate_task(worker, parent, payload, flags);
        if (graph.state == State::recording && parent.has(kPersistent))
            record(graph, *task, payload, flags, code);
        return task;
    }
    PersistentGraphs &graphs = graph.owner;
    launch_removed(parent, graph);
    const KeptNode &node = *graphs.next;
    const bool beyond = graphs.next == graphs.end;
    const bool in_clause = graphs.unlaunched != nullptr && node.task != nullptr;
    if (beyond || node.code != code.code || node.payload != payload || in_clause) {
        leave(parent, graph,
              beyond                   ? "is one more than before"
              : in_clause              ? "is created in a clause of another one"
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
    graphs.unlaunched = task;
    refill(*task, parent, flags);
    return task;
}

namespace {

/// launch() for a kept task that gets edges in addition to the planned ones.
LOOMP_NOINLINE void link_and_launch(Worker &worker, Task &task, const Dependence *dependences,
                                    std::size_t count) {
    constexpr std::int32_t linking = 1 << 30; // far more than the edges
    task.parent->map->persistent->unlaunched = nullptr;
    task.edge_space = reinterpret_cast<Edge *>(static_cast<char *>(task.payload()) +
                                               round_up(node_of(task).payload, sizeof(Edge)));
    task.predecessors.guard(linking);
    transition(task, TaskPhase::created, TaskPhase::linked);
    (void)link_dependences(task, dependences, count);
    ++worker.discovery.tasks;
    count_task(task);
    // The producer's guard goes with it.
    if (task.predecessors.remove(linking + 1))
        make_ready(task);
}

} // namespace

void spawn_kept(Task &task, const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &producer = *task.parent;
    PersistentGraph &graph = current_of(producer);
    if (LOOMP_LIKELY(task.has(kKept))) {
        KeptNode &node = node_of(task);
        LOOMP_TOOL(dependences, task, dependences, count);
        if (LOOMP_UNLIKELY(graph.state == State::left))
            return link_and_launch(worker, task, dependences, count);
        if (node.is(NodeKind::checked) && graph.state == State::executing) {
            const KeptAccesses noted = accesses_of(node);
            bool same = noted.count == count;
            for (std::size_t i = 0; same && i < count; ++i)
                same = noted.first[i].address == dependences[i].address &&
                       noted.first[i].access == dependences[i].access &&
                       noted.first[i].all_memory == dependences[i].all_memory;
            if (!same) {
                // It keeps its edges; its other dependences add more.
                --graph.owner.next;
                leave(producer, graph, "has other dependences than before");
                return link_and_launch(worker, task, dependences, count);
            }
        }
        if (count == 0 && producer.has(kPlacesNew))
            place_as_new(worker, task);
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
    else if (is_gathered(task))
        spawn_fusible(*Worker::current(), task);
    else
        spawn_placed(*Worker::current(), task);
}

void meet_undeferred(Task &task) {
    Task &producer = *task.parent;
    if (LOOMP_UNLIKELY(task.has(kWeak)) && takes_weak_in(producer))
        return leave_for_transparent(producer);
    PersistentGraph &graph = current_of(producer);
    if (graph.state == State::recording) {
        if (Recording::Entry *entry = graph.recording.find(task))
            entry->run_by_creator = true;
        if (task.has(kDetachable))
            graph.recording.unfit = "an undeferred task has an event";
    } else if (graph.state == State::executing && task.has(kKept)) {
        --graph.owner.next;
        leave(producer, graph, "is not deferred any more");
        graph.owner.unlaunched = nullptr;
    }
}

void leave_for_transparent(Task &producer) {
    PersistentGraph &graph = current_of(producer);
    note_transparent(graph.automatic);
    switch (graph.state) {
    case State::executing:
        graph.warned = true; // the warning has been printed
        leave(producer, graph, "is transparent");
        return;
    case State::recording:
        graph.recording.unfit = "a task is transparent";
        if (!graph.automatic) {
            graph.recording.clear();
            graph.state = State::unusable;
        }
        break;
    default: // a task between iterations
        come_to_rest(producer, graph);
    }
    intercept(producer, false);
}

bool takes_weak_in(Task &producer) {
    if (!producer.has(kPersistent))
        return false;
    const PersistentGraph &graph = current_of(producer);
    return graph.inside && !graph.automatic &&
           (graph.state == State::recording || graph.state == State::executing);
}

bool take_in(Task &task) {
    constexpr TaskFlags looked_at = kTied | kUndeferred | kFinal | kDetachable | kTarget;
    if ((task.flags & looked_at) != kTied)
        return false;
    Task &producer = *task.parent;
    // Tools see its end before its code begins, because the code belongs to the producer.
    LOOMP_TOOL(task_begin, &producer, task, __builtin_frame_address(0));
    LOOMP_TOOL(task_end, task, TaskStatus::complete, &producer);
    Worker *worker = Worker::current();
    Member *tie = tie_frames(*worker, task);
    transition(task, TaskPhase::created, TaskPhase::running);
    // The task's code runs even if the iteration is cancelled: it is to create what it created
    // before.
    task.invoke(task);
    producer.flags &= ~TaskFlags{kHasNextRequest};
    worker = Worker::current();
    worker->tie = tie;
    completion::finish(*worker, task, Completion::uncounted);
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
