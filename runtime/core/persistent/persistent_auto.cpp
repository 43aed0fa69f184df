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
// A stretch that repeats none is not kept in memory: only fingerprints of its beginnings are, one
// for each part of it. From the first part on that no earlier stretch began with, the tasks are
// forgotten, part by part.
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
/// Tasks of a part, and those after it that exist before it is concluded: a task is submitted soon
/// after its creation, but the code of a clause may create others between.
constexpr std::size_t kPart = 1024;
constexpr std::size_t kUnsettled = 64;
/// Longer stretches are not observed to their end.
constexpr std::size_t kMaxParts = (std::size_t{1} << 22) / kPart;
/// A recording may take this fraction of the memory of tasks; what is kept takes several times as
/// much.
constexpr std::size_t kShareOfTaskMemory = 8;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
    return hash ^ (hash >> 32);
}

std::uint64_t fingerprint(const Recording &recording, const Recording::Entry &entry) {
    std::uint64_t hash = mix(0, reinterpret_cast<std::uintptr_t>(entry.code.code));
    hash = mix(hash, (std::uint64_t{entry.payload} << 32) ^ entry.accesses.count);
    hash = mix(hash, entry.deferred);
    const KeptDependences::Slice noted = recording.dependences.from(entry.accesses.first);
    for (std::uint32_t i = 0; i < entry.accesses.count; ++i) {
        const Dependence it = noted[i];
        hash = mix(hash, reinterpret_cast<std::uintptr_t>(it.address));
        hash = mix(hash, static_cast<std::uint64_t>(it.access) + (it.all_memory ? 256u : 0u));
    }
    return hash;
}

std::size_t bytes_of(const Recording &recording) {
    return recording.entries.size() * sizeof(Recording::Entry) +
           recording.dependences.size() * sizeof(Dependence);
}

/// Forgets the first `count` tasks.
void forget(Recording &recording, std::size_t count) {
    auto &entries = recording.entries;
    entries.erase_first(count);
    recording.submitted -= std::min(recording.submitted, count);
    auto first = static_cast<std::uint32_t>(recording.dependences.size());
    for (const Recording::Entry &entry : entries)
        if (entry.accesses.count != 0)
            first = std::min(first, entry.accesses.first);
    for (Recording::Entry &entry : entries)
        entry.accesses.first -= entry.accesses.count != 0 ? first : entry.accesses.first;
    recording.dependences.erase_first(first);
    if (entries.capacity() > 4 * kPart) {
        entries.shrink_to_fit();
        recording.dependences.shrink_to_fit();
    }
}

/// The fingerprints of a stretch.
struct Stretch {
    std::vector<std::uint64_t> beginnings; ///< fingerprints of one part, of two parts, and so on
    std::uint64_t tasks = 0;               ///< fingerprint of all tasks that are covered
};

} // namespace

class AutomaticGraphs {
  public:
    explicit AutomaticGraphs(PersistentGraphs &owner) : scratch("LOOMP_PERSISTENT", kCheck, owner) {
        scratch.automatic = true;
    }

    PersistentGraph scratch; ///< current while a stretch is recorded
    Stretch recorded;
    std::size_t covered = 0; ///< tasks of the recording in `recorded`
    bool forgets = false;    ///< the recording lacks the stretch's earlier tasks
    std::vector<std::unique_ptr<PersistentGraph>> known;
    std::vector<Stretch> seen;
    unsigned fruitless = 0;
    bool off = false;
};

namespace {

/// Makes a graph from the recording.
void add_graph(Task &producer, AutomaticGraphs &automatic) {
    PersistentGraph &scratch = automatic.scratch;
    auto graph = std::make_unique<PersistentGraph>(scratch.where, scratch.flags, scratch.owner);
    graph->automatic = true;
    graph->state = State::ready;
    graph->kept = keep(*Worker::current(), producer, scratch.recording, /*replayed=*/false,
                       /*crossing=*/false, /*checked=*/true);
    automatic.known.push_back(std::move(graph));
    automatic.fruitless = 0;
    ++Worker::current()->discovery.graphs_found;
}

/// Adds the tasks before number `end` of the recording to the fingerprints.
void cover(AutomaticGraphs &automatic, std::size_t end) {
    const Recording &recording = automatic.scratch.recording;
    std::uint64_t &hash = automatic.recorded.tasks;
    for (; automatic.covered != end; ++automatic.covered)
        hash = mix(hash, fingerprint(recording, recording.entries[automatic.covered]));
}

void begin_stretch(AutomaticGraphs &automatic) {
    automatic.scratch.recording.clear();
    automatic.recorded = {};
    automatic.covered = 0;
    automatic.forgets = false;
}

/// Returns whether an earlier stretch began like the recorded one, whose last part has just ended.
bool began_alike(const AutomaticGraphs &automatic) {
    const std::vector<std::uint64_t> &beginnings = automatic.recorded.beginnings;
    return std::any_of(automatic.seen.begin(), automatic.seen.end(), [&](const Stretch &other) {
        return other.beginnings.size() >= beginnings.size() &&
               other.beginnings[beginnings.size() - 1] == beginnings.back();
    });
}

/// Returns false if the stretch is not observed any further.
bool conclude_part(AutomaticGraphs &automatic) {
    Recording &recording = automatic.scratch.recording;
    if (recording.unfit != nullptr || automatic.recorded.beginnings.size() == kMaxParts) {
        begin_stretch(automatic);
        ++automatic.fruitless;
        return false;
    }
    cover(automatic, automatic.covered + kPart);
    automatic.recorded.beginnings.push_back(automatic.recorded.tasks);
    const std::size_t most = task_memory_bound() / kShareOfTaskMemory; // 0: not known yet
    automatic.forgets =
        automatic.forgets || !began_alike(automatic) || (most != 0 && bytes_of(recording) > most);
    if (automatic.forgets)
        forget(recording, std::exchange(automatic.covered, 0));
    return true;
}

/// A stretch was recorded: it repeats an earlier one, or may be repeated.
void conclude_stretch(Task &producer, AutomaticGraphs &automatic) {
    const Recording &recording = automatic.scratch.recording;
    if (recording.entries.empty())
        return;
    ++automatic.fruitless;
    ++Worker::current()->discovery.stretches;
    if (recording.unfit == nullptr) {
        cover(automatic, recording.entries.size());
        if (std::none_of(automatic.seen.begin(), automatic.seen.end(), [&](const Stretch &other) {
                return other.tasks == automatic.recorded.tasks;
            })) {
            automatic.seen.push_back(std::move(automatic.recorded));
        } else if (!automatic.forgets && automatic.known.size() < kMaxGraphs) {
            add_graph(producer, automatic);
        }
    }
    begin_stretch(automatic);
}

/// All tasks have completed.
void forget_graphs(AutomaticGraphs &automatic) {
    for (auto &graph : automatic.known)
        if (graph->kept != nullptr)
            retire(std::move(graph->kept));
    automatic.known.clear();
    automatic.seen.clear();
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
    const Recording &recording = automatic.scratch.recording;
    if (graphs.current != &automatic.scratch)
        return false;
    if (recording.entries.size() - automatic.covered == kPart + kUnsettled &&
        !conclude_part(automatic)) {
        intercept(producer, false); // until the producer waits
        return false;
    }
    if (!recording.entries.empty())
        return false;
    for (auto &graph : automatic.known) {
        const KeptNode &first = graph->kept->nodes[0];
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
        forget_graphs(automatic);
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
    forget_graphs(*automatic);
    delete automatic;
}

} // namespace loomp::core
