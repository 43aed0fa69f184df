// Iterations of persistent graphs: recording, re-executing, replaying, leaving (persistent.h).
#include "core/persistent.h"

#include <algorithm>
#include <cstring>
#include <sched.h>
#include <string>
#include <utility>

#include "core/immediate.h"
#include "core/message.h"
#include "core/persistent_graph.h"
#include "core/priority_graph.h"
#include "core/scheduler.h"

namespace loomp::core {

void intercept(Task &producer, bool on) {
    if (on)
        producer.flags |= kPersistent;
    else
        producer.flags &= ~std::uint32_t{kPersistent};
}

bool needs_no_graph(const Worker &worker, const Task &producer, unsigned flags) {
    // Tools are to see each task made, and the graph of priorities its edges.
    if (tool_enabled || propagates_priorities)
        return true;
    if (producer.has(kIncludes))
        return true; // tasks run at once
    if (producer.has(kExports))
        return true; // its map is for others, too
    // One thread runs new tasks at once, in an order that needs no edges.
    return (flags & (kReplay | kCheck)) == 0 && immediate_possible && worker.member->many_ready < 0;
}

namespace {

using State = PersistentGraph::State;

/// Iterations left in a row before the graph is given up.
constexpr unsigned kMaxFailures = 8;

PersistentGraphs &graphs_of(Task &producer) {
    if (producer.map == nullptr)
        producer.map = new DependenceMap;
    if (producer.map->persistent == nullptr)
        producer.map->persistent = new PersistentGraphs;
    return *producer.map->persistent;
}

PersistentGraphs *graphs_if_any(Task &producer) {
    return producer.map == nullptr ? nullptr : producer.map->persistent;
}

PersistentGraph *find(const PersistentGraphs &graphs, const char *where) {
    PersistentGraph *graph = graphs.first;
    while (graph != nullptr && graph->where != where)
        graph = graph->next;
    return graph;
}

/// The graph whose iteration the producer is in, or that drifts.
PersistentGraph &current_of(Task &producer) { return *producer.map->persistent->current; }

void say_once(PersistentGraph &graph, const char *what) {
    if (!std::exchange(graph.warned, true))
        warn("%s: persistent graph: %s", graph.where, what);
}

/// Whether all that the producer has created is complete.
bool children_completed(Task &producer) {
    return producer.created == 0 &&
           children::all_completed(producer.children.load(std::memory_order_acquire));
}

void wait_for_children(Task &producer) {
    // Not a wait of the program's.
    const bool on = producer.has(kPersistent);
    intercept(producer, false);
    if (!children_completed(producer))
        taskwait();
    intercept(producer, on);
}

/// All tasks have completed: nothing drifts, and the table names nothing that matters.
void come_to_rest(Task &producer, PersistentGraph &graph) {
    wait_for_children(producer);
    producer.map->clear();
    graph.entering = graph.unsynced = false;
    if (graph.state == State::drifting)
        graph.state = State::ready;
}

/// The graph of a place, for what cannot be done inside an iteration: there it says `refusal` and
/// returns null, as where there is no graph.
PersistentGraph *find_at_rest(Task &producer, const char *where, const char *refusal) {
    PersistentGraphs *graphs = graphs_if_any(producer);
    PersistentGraph *graph = graphs == nullptr ? nullptr : find(*graphs, where);
    if (graph == nullptr || !graph->inside)
        return graph;
    say_once(*graph, refusal);
    return nullptr;
}

/// The next iteration is recorded, as the first was.
void make_anew(Task &producer, PersistentGraph &graph) {
    come_to_rest(producer, graph);
    if (graph.kept != nullptr)
        retire(std::move(graph.kept));
    graph.failures = 0;
    graph.state = State::recording;
}

// --- The producer's table of addresses
// -------------------------------------------------------------

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

// --- Leaving
// ---------------------------------------------------------------------------------------

/// The program does something else than was kept: from here on, tasks are made anew.
LOOMP_NOINLINE void leave(Task &producer, PersistentGraph &graph, const char *how) {
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

/// Waits until the task's last use is over: without barriers, or with children of its own that
/// outlive it.
LOOMP_NOINLINE void wait_until_reusable(Task &task) {
    wait_for_task({&task, task.serial.load(std::memory_order_relaxed)});
    while (task.children.load(std::memory_order_acquire) != 0)
        if (!taskyield())
            sched_yield();
}

/// Removed tasks come by themselves.
LOOMP_NOINLINE void launch_removed(Task &producer, PersistentGraph &graph) {
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

// --- Recording
// -------------------------------------------------------------------------------------

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

/// The recorded iteration is over: makes the graph, while its tasks may still run.
void conclude_recording(Task &producer, PersistentGraph &graph) {
    Recording &recording = graph.recording;
    intercept(producer, false);
    if (recording.unfit == nullptr && graph.failures >= kMaxFailures)
        recording.unfit = "every iteration differs from the one before";
    if (recording.unfit != nullptr) {
        graph.warned = false;
        say_once(graph, recording.unfit);
        graph.state = State::unusable;
        recording.clear();
        return;
    }
    bool all_deferred = true;
    for (const Recording::Entry &entry : recording.entries)
        all_deferred &= !entry.run_by_creator;
    if (!all_deferred)
        recording.unfit_replay = "the producer runs a task itself";
    if (recording.waited_at != 0 && recording.waited_at < recording.entries.size())
        recording.unfit_replay = "the producer waits between its tasks";
    graph.replays = (graph.flags & kReplay) != 0 && recording.unfit_replay == nullptr;
    if ((graph.flags & kReplay) != 0 && !graph.replays)
        say_once(graph, (std::string("cannot be replayed, its code is run each time: ") +
                         recording.unfit_replay)
                            .c_str());
    graph.kept = keep(*Worker::current(), producer, recording, graph.replays,
                      (graph.flags & kNoBarrier) != 0, (graph.flags & kCheck) != 0);
    recording.clear();
    wait_for_children(producer);
    graph.state = State::ready;
    graph.launched_group = nullptr;
    graph.launched_icvs = nullptr;
}

// --- Replaying
// -------------------------------------------------------------------------------------

void replay(Task &producer, PersistentGraph &graph) {
    Worker &worker = *Worker::current();
    KeptTasks &kept = *graph.kept;
    if (graph.launched_group != producer.group || graph.launched_icvs != producer.icvs) {
        come_to_rest(producer, graph);
        for (KeptNode &node : kept.nodes)
            if (node.task != nullptr) {
                node.task->group = producer.group;
                node.task->icvs = producer.icvs;
            }
        graph.launched_group = producer.group;
        graph.launched_icvs = producer.icvs;
    }
    expect_tasks(*producer.team);
    // All are counted first: what is launched may complete at once.
    for (std::uint32_t left = kept.kept; left != 0;) {
        const std::uint32_t part = std::min(left, kFoldAt / 2);
        if (producer.created + part >= kFoldAt)
            fold_overflow(producer);
        producer.created += part;
        left -= part;
    }
    if (producer.group != nullptr)
        for (std::uint32_t i = 0; i < kept.kept; ++i)
            producer.group->count_one(producer);
    worker.discovery.tasks += kept.kept;
    ++kept.launched;
    ++worker.discovery.iterations_replayed;
    for (Task *task : kept.starts) {
        if (LOOMP_UNLIKELY(!has_ended(*task)))
            wait_for_task({task, task->serial.load(std::memory_order_relaxed)});
        open_successors(*task);
        // acq_rel: as in launch().
        if (task->predecessors.fetch_sub(1, std::memory_order_acq_rel) == 1)
            make_ready(*task);
    }
}

} // namespace

void Recording::clear() { *this = Recording(); }

Recording::Entry *Recording::find(const Task &task) {
    for (std::size_t i = entries.size(); i-- > 0;)
        if (entries[i].task == &task)
            return entries[i].deferred ? nullptr : &entries[i];
    return nullptr;
}

// --- Front ends
// ------------------------------------------------------------------------------------

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

// --- Iterations
// ------------------------------------------------------------------------------------

bool begin_iteration(const char *where, unsigned flags) {
    Worker &worker = *Worker::current();
    Task &producer = *worker.task;
    PersistentGraphs &graphs = graphs_of(producer);
    if (graphs.automatic != nullptr) {
        wait_for_children(producer);
        stop_automatic(producer, graphs);
    }
    if (graphs.current != nullptr && graphs.current->inside && graphs.nested == 0 &&
        graphs.current->where == where) {
        say_once(*graphs.current, "its code was left without an end of the iteration");
        end_iteration();
    }
    if (graphs.current != nullptr && (graphs.nested != 0 || graphs.current->inside)) {
        if (graphs.nested++ == 0)
            say_once(*graphs.current, "iterations do not nest; the inner one is an ordinary one");
        return true;
    }
    if (graphs.current != nullptr && graphs.current->where != where)
        come_to_rest(producer, *graphs.current);
    PersistentGraph *graph = find(graphs, where);
    if (graph == nullptr) {
        graph = new PersistentGraph(where, flags, graphs);
        graph->next = graphs.first;
        graphs.first = graph;
    }
    if (LOOMP_UNLIKELY(graph->flags != flags)) {
        // A place that several callers pass, in ways of their own: another graph.
        make_anew(producer, *graph);
        graph->flags = flags;
    }
    graphs.current = graph;
    graph->inside = true;
    if (graph->state == State::unusable || needs_no_graph(worker, producer, graph->flags))
        return true;
    if (graph->state == State::left)
        graph->state = State::recording;
    if (graph->state == State::recording) {
        graph->recording.clear();
        intercept(producer, true);
        return true;
    }
    if (graph->state == State::ready || graph->unsynced)
        come_to_rest(producer, *graph);
    if (graph->replays) {
        replay(producer, *graph);
        graph->inside = false;
        graph->state = State::drifting;
        intercept(producer, true);
        if ((graph->flags & kNoBarrier) == 0) {
            come_to_rest(producer, *graph);
            intercept(producer, false);
        }
        return false;
    }
    ++Worker::current()->discovery.iterations_reexecuted;
    graph->state = State::executing;
    graph->entered = 0;
    graph->start(0);
    expect_tasks(*producer.team);
    intercept(producer, true);
    return true;
}

void end_iteration() {
    Task &producer = *Worker::current()->task;
    PersistentGraphs *graphs = graphs_if_any(producer);
    if (graphs == nullptr || graphs->current == nullptr || !graphs->current->inside) {
        warn("loomp_persistent_end: no iteration of a persistent graph was begun in this task");
        return;
    }
    if (graphs->nested != 0) {
        --graphs->nested;
        return;
    }
    PersistentGraph &graph = *graphs->current;
    graph.inside = false;
    switch (graph.state) {
    case State::recording:
        if (producer.has(kPersistent))
            conclude_recording(producer, graph);
        break;
    case State::executing:
        launch_removed(producer, graph);
        if (graph.owner.next != graph.owner.end) {
            leave(producer, graph, "is missing");
            break;
        }
        graph.failures = 0;
        graph.stop(State::drifting);
        graph.unsynced = graph.entering;
        break;
    default:
        break;
    }
    if ((graph.flags & kNoBarrier) == 0) {
        come_to_rest(producer, graph);
        intercept(producer, false);
    }
}

void invalidate_graph(const char *where) {
    Task &producer = *Worker::current()->task;
    PersistentGraph *graph =
        find_at_rest(producer, where, "cannot be invalidated inside an iteration");
    if (graph == nullptr)
        return;
    make_anew(producer, *graph);
    intercept(producer, false);
}

bool remove_next_task() {
    Task &producer = *Worker::current()->task;
    if (!producer.has(kPersistent))
        return false;
    PersistentGraph &graph = current_of(producer);
    if (graph.state != State::executing)
        return false;
    launch_removed(producer, graph);
    while (graph.owner.next != graph.owner.end && graph.owner.next->task == nullptr)
        ++graph.owner.next;
    if (graph.owner.next == graph.owner.end)
        return false;
    graph.owner.next->kind |= kNodeRemoved;
    graph.owner.next->code = nullptr; // asked for by nobody
    launch_removed(producer, graph);
    return true;
}

void free_graph(const char *where) {
    Task &producer = *Worker::current()->task;
    PersistentGraph *graph = find_at_rest(producer, where, "cannot be freed inside an iteration");
    if (graph == nullptr)
        return;
    come_to_rest(producer, *graph);
    PersistentGraphs *graphs = &graph->owner;
    if (graphs->current == graph) {
        intercept(producer, false);
        graphs->current = nullptr;
    }
    PersistentGraph **link = &graphs->first;
    while (*link != graph)
        link = &(*link)->next;
    *link = graph->next;
    if (graph->kept != nullptr)
        retire(std::move(graph->kept));
    delete graph;
}

void end_region(PersistentGraphs &graphs) {
    delete_automatic(std::exchange(graphs.automatic, nullptr));
    graphs.current = nullptr;
    graphs.next = graphs.end = nullptr;
    graphs.nested = 0;
    for (PersistentGraph **link = &graphs.first; *link != nullptr;) {
        PersistentGraph *graph = *link;
        const bool usable = graph->kept != nullptr && !graph->replays && !graph->inside;
        if (usable) {
            graph->state = State::ready;
            graph->entering = graph->unsynced = false;
            link = &graph->next;
            continue;
        }
        *link = graph->next;
        if (graph->kept != nullptr)
            retire(std::move(graph->kept));
        delete graph;
    }
}

void delete_graphs(PersistentGraphs *graphs) {
    delete_automatic(graphs->automatic);
    while (graphs->first != nullptr) {
        PersistentGraph *graph = std::exchange(graphs->first, graphs->first->next);
        if (graph->kept != nullptr)
            retire(std::move(graph->kept));
        delete graph;
    }
    delete graphs;
}

} // namespace loomp::core
