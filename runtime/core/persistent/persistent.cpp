// Iterations of persistent graphs: their beginning and end, and replay (persistent.h).
#include "runtime/core/persistent/persistent.h"

#include <algorithm>
#include <string>
#include <utility>

#include "platform/atomic.h"
#include "platform/diagnostics.h"
#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/dependences/successors.h"
#include "runtime/core/persistent/persistent_graph.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/waiting.h"
#include "runtime/core/scheduling/work_first.h"

namespace loomp::core {

void intercept(Task &producer, bool on) {
    if (on)
        producer.flags |= kPersistent;
    else
        producer.flags &= ~TaskFlags{kPersistent};
}

void note_transparent(bool automatic) {
    met_transparent = true;
    if (!automatic)
        LOOMP_WARN_ONCE("persistent graphs: iterations of transparent tasks, or with them, are not "
                        "kept");
}

bool needs_no_graph(const Worker &worker, const Task &producer, unsigned flags) {
    if (tool_enabled && tool_hooks.keep_block != nullptr) {
        LOOMP_WARN_ONCE("persistent graphs: no graph is kept under ThreadSanitizer, which would "
                        "take what orders the uses of a kept task's variables for a race");
        return true;
    }
    if (producer.has(kRunsChildrenInline))
        return true;                  // tasks run at once
    if (producer.has(kTransparent)) { // other tasks use its map, too
        note_transparent(/*automatic=*/producer.map->persistent == nullptr);
        return true;
    }
    // A single thread runs new tasks at once, in an order that needs no edges: replay, which queues
    // them, takes four times as long. It needs the graph only if priorities are passed along its
    // edges.
    return (flags & kCheck) == 0 && work_first_possible && worker.member->alone &&
           !propagates_priorities;
}

namespace {

using State = PersistentGraph::State;

/// The graph is given up after this many deviating iterations in a row.
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

void say_once(PersistentGraph &graph, const char *what) {
    if (!std::exchange(graph.warned, true))
        warn("%s: persistent graph: %s", graph.where, what);
}

/// Returns whether everything that the producer has created is complete.
bool children_completed(Task &producer) {
    return producer.created == 0 &&
           children::all_completed(producer.children.load(std::memory_order_acquire));
}

LOOMP_MAY_SWITCH void wait_for_children(Task &producer) {
    // The program must not see this as a wait of its own.
    const bool on = producer.has(kPersistent);
    intercept(producer, false);
    if (!children_completed(producer))
        complete_children();
    intercept(producer, on);
}

/// Waits for the tasks that precede the producer's next creations. If children are transparent,
/// this includes outstanding children of theirs.
LOOMP_MAY_SWITCH void wait_for_accesses(Task &producer) {
    const bool on = producer.has(kPersistent);
    intercept(producer, false);
    constexpr Dependence all = {nullptr, Access::inout, /*all_memory=*/true};
    wait_dependences(&all, 1);
    intercept(producer, on);
}

/// Returns the graph of a place, for an operation that is impossible inside an iteration. Warns
/// with `refusal` and returns null inside one; returns null without a graph.
PersistentGraph *find_at_rest(Task &producer, const char *where, const char *refusal) {
    PersistentGraphs *graphs = graphs_if_any(producer);
    PersistentGraph *graph = graphs == nullptr ? nullptr : find(*graphs, where);
    if (graph == nullptr || !graph->inside)
        return graph;
    say_once(*graph, refusal);
    return nullptr;
}

/// Counts what programs announced; never kNew. Relaxed: a task that must see an announcement is
/// ordered after it by the program.
Atomic<std::uint32_t> announced_changes{PersistentGraph::kNew + 1};

/// The tasks of some iterations change from now on. `graph`, if any, changes with them.
void announce_change(PersistentGraph *graph) {
    std::uint32_t before = announced_changes.fetch_add(1, std::memory_order_relaxed);
    if (LOOMP_UNLIKELY(before + 1 == PersistentGraph::kNew))
        announced_changes.fetch_add(1, std::memory_order_relaxed);
    else if (graph != nullptr && graph->as_of == before)
        ++graph->as_of;
}

/// Sets whether all dependences of the graph's next iteration are compared.
void doubt(PersistentGraph &graph, bool on) {
    graph.doubted = on;
    if ((graph.flags & kCheck) == 0)
        for (KeptNode &node : graph.kept->nodes)
            node.kind = on ? node.kind | NodeKind::checked
                           : static_cast<NodeKind>(node.kind).without(NodeKind::checked);
}

/// Makes the next iteration a recorded one again.
LOOMP_MAY_SWITCH void make_anew(Task &producer, PersistentGraph &graph) {
    come_to_rest(producer, graph);
    if (graph.kept != nullptr)
        retire(std::move(graph.kept));
    graph.failures = 0;
    graph.state = State::recording;
}

/// The recorded iteration is over: makes the graph, while its tasks may still run.
LOOMP_MAY_SWITCH void conclude_recording(Task &producer, PersistentGraph &graph) {
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

LOOMP_MAY_SWITCH void replay(Task &producer, PersistentGraph &graph) {
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
    // All are counted first, because launched tasks may complete at once.
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
    if (LOOMP_UNLIKELY(tool_enabled))
        tell_of_replay(producer, kept);
    ++kept.launched;
    Worker &worker = *Worker::current();
    worker.discovery.tasks += kept.kept;
    ++worker.discovery.iterations_replayed;
    for (Task *task : kept.starts) {
        if (LOOMP_UNLIKELY(!has_ended(*task)))
            wait_for_task({task, task->serial.load(std::memory_order_relaxed)});
        open_successors(*task);
        if (task->predecessors.remove())
            make_ready(*task);
    }
}

} // namespace

void Recording::clear() { *this = Recording(); }

void come_to_rest(Task &producer, PersistentGraph &graph) {
    if (LOOMP_UNLIKELY(producer.has(kTransparent)))
        return; // nothing is kept, and its map names tasks that it did not create
    wait_for_children(producer);
    if (LOOMP_UNLIKELY(producer.has(kHasTransparent)))
        wait_for_accesses(producer);
    producer.map->clear();
    graph.entering = graph.unsynced = false;
    if (graph.state == State::drifting)
        graph.state = State::ready;
}

bool begin_iteration(const char *where, unsigned flags) {
    Task &producer = *Worker::current()->task;
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
        // Several callers pass this place, and use it differently: this one needs another graph.
        make_anew(producer, *graph);
        graph->flags = flags;
    }
    graphs.current = graph;
    graph->inside = true;
    if (graph->state == State::unusable ||
        needs_no_graph(*Worker::current(), producer, graph->flags))
        return true;
    const std::uint32_t changes = announced_changes.load(std::memory_order_relaxed);
    const bool doubtful = std::exchange(graph->as_of, changes) != changes;
    if (graph->state == State::left)
        graph->state = State::recording;
    else if (LOOMP_UNLIKELY(doubtful) && graph->replays)
        make_anew(producer, *graph);
    if (graph->state == State::recording) {
        graph->recording.clear();
        intercept(producer, true);
        return true;
    }
    if (graph->state == State::ready || graph->unsynced)
        come_to_rest(producer, *graph);
    if (LOOMP_UNLIKELY(!has_current_priorities(*graph->kept))) {
        if (graph->replays)
            come_to_rest(producer, *graph);
        renew_priorities(*graph->kept);
    }
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
    if (LOOMP_UNLIKELY(doubtful))
        doubt(*graph, true);
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
        if (LOOMP_UNLIKELY(graph.doubted))
            doubt(graph, false);
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
    announce_change(nullptr);
    if (graph == nullptr)
        return;
    make_anew(producer, *graph);
    intercept(producer, false);
}

bool remove_next_task() {
    Task &producer = *Worker::current()->task;
    const PersistentGraphs *graphs = graphs_if_any(producer);
    PersistentGraph *current = graphs == nullptr ? nullptr : graphs->current;
    announce_change(current); // whether or not a graph is in use
    if (current == nullptr || current->automatic || current->state != State::executing)
        return false;
    PersistentGraph &graph = *current;
    launch_removed(producer, graph);
    if (graph.owner.next == graph.owner.end)
        return false;
    graph.owner.next->kind |= NodeKind::removed;
    graph.owner.next->code = nullptr; // no request of the producer matches it
    launch_removed(producer, graph);
    return true;
}

void free_graph(const char *where) {
    Task &producer = *Worker::current()->task;
    PersistentGraph *graph = find_at_rest(producer, where, "cannot be freed inside an iteration");
    announce_change(nullptr); // another thread of a `single` has a graph of its own
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
            graph->as_of = PersistentGraph::kNew;
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
