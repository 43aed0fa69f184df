// Automatic persistence (LOOMP_PERSISTENT=auto): loomp recognises iterations of an unmodified
// program.
//
// A *stretch* is what a task creates between two points where all its children have completed (a
// taskwait, or the end of a taskgroup). Stretches are recorded until one repeats another exactly:
// the same code, size of private data, and dependences of each task, in the same order. Later
// stretches that begin like it use its kept tasks; the dependences of each task are compared with
// the kept ones. At the first difference the producer leaves the graph for the rest of the stretch.
// A program with several such stretches in its loop gets a graph for each.
//
// Only tasks that have created tasks with dependences are observed, from their first wait on.
#include <algorithm>
#include <utility>

#include "runtime/core/persistent/persistent_graph.h"

namespace loomp::core {

bool persists_automatically = false;
Relaxed<bool> met_transparent = false;

namespace {

using State = PersistentGraph::State;

/// After this many recorded stretches without a repetition, the producer is no longer observed.
constexpr unsigned kMaxFruitless = 32;
constexpr std::size_t kMaxGraphs = 16;
/// Longer stretches are not worth their memory.
constexpr std::size_t kMaxEntries = std::size_t{1} << 22;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
    return hash ^ (hash >> 32);
}

std::uint64_t fingerprint(const Recording &recording, const Recording::Entry &entry) {
    std::uint64_t hash = mix(0, reinterpret_cast<std::uintptr_t>(entry.code.code));
    hash = mix(hash, (std::uint64_t{entry.payload} << 32) ^ entry.accesses.count);
    hash = mix(hash, entry.deferred);
    const Dependence *first = recording.dependences.data() + entry.accesses.first;
    for (const Dependence *it = first; it != first + entry.accesses.count; ++it) {
        hash = mix(hash, reinterpret_cast<std::uintptr_t>(it->address));
        hash = mix(hash, static_cast<std::uint64_t>(it->access) + (it->all_memory ? 256u : 0u));
    }
    return hash;
}

std::uint64_t fingerprint(const Recording &recording) {
    std::uint64_t hash = recording.entries.size();
    for (const Recording::Entry &entry : recording.entries)
        hash = mix(hash, fingerprint(recording, entry));
    return hash;
}

} // namespace

class AutomaticGraphs {
  public:
    explicit AutomaticGraphs(PersistentGraphs &owner) : scratch("LOOMP_PERSISTENT", kCheck, owner) {
        scratch.automatic = true;
    }

    PersistentGraph scratch; ///< current while a stretch is recorded
    std::vector<std::unique_ptr<PersistentGraph>> known;
    std::vector<std::uint64_t> seen; ///< fingerprints of stretches seen once
    unsigned fruitless = 0;
    bool off = false;
};

namespace {

/// Makes a graph from the recording.
void add_graph(Task &producer, AutomaticGraphs &automatic) {
    const PersistentGraph &scratch = automatic.scratch;
    auto graph = std::make_unique<PersistentGraph>(scratch.where, scratch.flags, scratch.owner);
    graph->automatic = true;
    graph->state = State::ready;
    graph->kept = keep(*Worker::current(), producer, scratch.recording, /*replayed=*/false,
                       /*crossing=*/false, /*checked=*/true);
    automatic.known.push_back(std::move(graph));
    automatic.fruitless = 0;
    ++Worker::current()->discovery.graphs_found;
}

/// A stretch was recorded: it repeats an earlier one, or may be repeated.
void conclude_stretch(Task &producer, AutomaticGraphs &automatic) {
    Recording &recording = automatic.scratch.recording;
    if (recording.entries.empty())
        return;
    ++automatic.fruitless;
    ++Worker::current()->discovery.stretches;
    if (recording.unfit == nullptr) {
        const std::uint64_t print = fingerprint(recording);
        if (std::find(automatic.seen.begin(), automatic.seen.end(), print) ==
            automatic.seen.end()) {
            automatic.seen.push_back(print);
        } else if (automatic.known.size() < kMaxGraphs) {
            add_graph(producer, automatic);
        }
    }
    recording.clear();
}

/// Everything has completed: arms the tasks that an iteration left out like the others.
void rearm(PersistentGraph &graph) {
    for (const KeptNode &node : graph.kept->nodes)
        if (node.task != nullptr)
            node.task->predecessors.set(node.armed);
}

void conclude_iteration(AutomaticGraphs &automatic, PersistentGraph &graph) {
    constexpr unsigned tolerable = 8;
    if (graph.state == State::executing && graph.owner.next == graph.owner.end) {
        ++Worker::current()->discovery.iterations_reexecuted;
        graph.failures = 0;
    } else {
        if (graph.state == State::executing) { // ended early
            ++Worker::current()->discovery.graphs_left;
            ++graph.failures;
        }
        rearm(graph);
    }
    graph.stop(State::ready);
    graph.entering = false;
    if (graph.failures < tolerable)
        return;
    retire(std::move(graph.kept));
    automatic.fruitless += tolerable;
    std::erase_if(automatic.known, [&](const auto &other) { return other.get() == &graph; });
}

} // namespace

bool choose_automatic(Task &producer, std::size_t payload, const void *code) {
    PersistentGraphs &graphs = *producer.map->persistent;
    AutomaticGraphs &automatic = *graphs.automatic;
    Recording &recording = automatic.scratch.recording;
    if (graphs.current != &automatic.scratch)
        return false;
    if (recording.entries.size() == kMaxEntries) { // nothing is recorded until the producer waits
        recording = Recording();
        ++automatic.fruitless;
        intercept(producer, false);
        return false;
    }
    if (!recording.entries.empty())
        return false;
    for (auto &graph : automatic.known) {
        const KeptNode &first = graph->kept->nodes.front();
        if (first.code != code || first.payload != payload)
            continue;
        graphs.current = graph.get();
        graph->state = State::executing;
        if (LOOMP_UNLIKELY(!has_current_priorities(*graph->kept)))
            renew_priorities(*graph->kept);
        graph->entered = 0;
        graph->start(0);
        // Graphs with equal beginnings take turns.
        std::rotate(&graph, &graph + 1, automatic.known.data() + automatic.known.size());
        return true;
    }
    return false;
}

void children_have_completed(Task &producer) {
    // If tasks are transparent, grandchildren may be outstanding, or tasks for which others'
    // children wait.
    if (producer.map == nullptr)
        return;
    if ((producer.flags & (kExports | kHasTransparent)) != 0)
        return note_transparent(/*automatic=*/true);
    PersistentGraphs *&graphs = producer.map->persistent;
    if (graphs == nullptr || graphs->automatic == nullptr) {
        if (graphs != nullptr && graphs->first != nullptr)
            return; // the program has graphs of its own
        if (producer.map->empty() || needs_no_graph(*Worker::current(), producer, kCheck))
            return;
        if (graphs == nullptr)
            graphs = new PersistentGraphs;
        graphs->automatic = new AutomaticGraphs(*graphs);
    }
    AutomaticGraphs &automatic = *graphs->automatic;
    if (automatic.off)
        return;
    intercept(producer, false);
    producer.map->clear();
    if (graphs->current == &automatic.scratch)
        conclude_stretch(producer, automatic);
    else if (graphs->current != nullptr)
        conclude_iteration(automatic, *graphs->current);
    graphs->current = &automatic.scratch;
    if (automatic.fruitless > kMaxFruitless) {
        automatic.off = true;
        return;
    }
    expect_tasks(*producer.team);
    intercept(producer, true);
}

void stop_automatic(Task &producer, PersistentGraphs &graphs) {
    intercept(producer, false);
    graphs.next = graphs.end = nullptr;
    graphs.current = nullptr;
    delete_automatic(std::exchange(graphs.automatic, nullptr));
}

void delete_automatic(AutomaticGraphs *automatic) {
    if (automatic == nullptr)
        return;
    for (auto &graph : automatic->known)
        if (graph->kept != nullptr)
            retire(std::move(graph->kept));
    delete automatic;
}

} // namespace loomp::core
