// Automatic persistence (LOOMP_PERSISTENT=auto): iterations of an unmodified program are
// recognised.
//
// What a task creates between two points where all its children have completed (a taskwait, or the
// end of a taskgroup) is a *stretch*. Stretches are recorded until one repeats another exactly:
// same code, same private data's size, same dependences of each task, in the same order. From then
// on a stretch that begins like it uses its kept tasks; the dependences of each task are compared
// with those kept. At the first difference the graph is left, as any persistent graph is, for the
// rest of the stretch. A program with several such stretches in its loop gets a graph for each.
//
// A program need not wait between its iterations. Where a stretch repeats itself while it grows (a
// period), the tasks of one or several periods are kept as a graph without barriers, a *stream*:
// the producer waits once for what it has created, and then begins the graph anew whenever it has
// come to its end. It stays at most one turn of the stream ahead of the tasks' execution.
//
// Only tasks that have created tasks with dependences are looked at: implicit ones from the first
// of these on, others from their first wait.
#include <algorithm>
#include <utility>

#include "core/environment/settings.h"
#include "core/persistent/period.h"
#include "core/persistent/persistent_graph.h"

namespace loomp::core {

bool persists_automatically = false;
Relaxed<bool> met_transparent = false;

namespace {

using State = PersistentGraph::State;

/// Stretches recorded in vain before the producer is left alone.
constexpr unsigned kMaxFruitless = 32;
constexpr std::size_t kMaxGraphs = 16;
/// Longer stretches are no iterations worth their memory.
constexpr std::size_t kMaxEntries = std::size_t{1} << 22;
/// A stretch is looked at for a period up to here; and recorded, if the producer has never waited.
constexpr std::size_t kMaxLookedAt = std::size_t{1} << 17;
/// A stream has at least so many tasks, since the producer cannot be further ahead: enough to find
/// work for all threads.
constexpr std::size_t kLeastInStream = 1024;
/// What leaving a stream counts for, in stretches recorded in vain.
constexpr unsigned kLeft = 8;

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

/// The last `count` entries by themselves.
Recording tail_of(const Recording &recording, std::size_t count) {
    Recording tail;
    tail.entries.assign(recording.entries.end() - static_cast<std::ptrdiff_t>(count),
                        recording.entries.end());
    for (Recording::Entry &entry : tail.entries) {
        const Dependence *first = recording.dependences.data() + entry.accesses.first;
        entry.accesses.first = static_cast<std::uint32_t>(tail.dependences.size());
        tail.dependences.insert(tail.dependences.end(), first, first + entry.accesses.count);
    }
    return tail;
}

} // namespace

class AutomaticGraphs {
  public:
    explicit AutomaticGraphs(PersistentGraphs &owner) : scratch("LOOMP_PERSISTENT", kCheck, owner) {
        scratch.automatic = true;
    }

    /// Makes a graph of what was recorded.
    PersistentGraph &add(Task &producer, const Recording &recording, unsigned flags) {
        auto graph = std::make_unique<PersistentGraph>("LOOMP_PERSISTENT", flags, scratch.owner);
        graph->automatic = true;
        graph->state = State::ready;
        graph->kept = keep(*Worker::current(), producer, recording, false,
                           (flags & kNoBarrier) != 0, /*checked=*/true);
        known.push_back(std::move(graph));
        fruitless = 0;
        ++Worker::current()->discovery.graphs_found;
        return *known.back();
    }
    /// What comes next is a stretch of its own.
    void forget_recorded() {
        scratch.recording.clear();
        period.clear();
    }

    PersistentGraph scratch; ///< current while a stretch is recorded
    PeriodFinder period;     ///< of the fingerprints of its tasks, but for the latest
    std::vector<std::unique_ptr<PersistentGraph>> known;
    std::vector<std::uint64_t> seen; ///< fingerprints of stretches met once
    /// Streams that were left, without their tasks. Until all has completed: the caller of leave()
    /// still looks at them.
    std::vector<std::unique_ptr<PersistentGraph>> left;
    unsigned fruitless = 0;
    bool off = false;
    bool has_waited = false; ///< the producer, for all its tasks
};

namespace {

/// A stretch was recorded: it repeats one, or may be repeated.
void conclude_stretch(Task &producer, PersistentGraphs &graphs) {
    AutomaticGraphs &automatic = *graphs.automatic;
    Recording &recording = automatic.scratch.recording;
    if (recording.entries.empty())
        return;
    ++automatic.fruitless;
    ++Worker::current()->discovery.stretches;
    if (recording.unfit == nullptr && recording.entries.size() <= kMaxEntries) {
        const std::uint64_t print = fingerprint(recording);
        if (std::find(automatic.seen.begin(), automatic.seen.end(), print) ==
            automatic.seen.end()) {
            automatic.seen.push_back(print);
        } else if (automatic.known.size() < kMaxGraphs) {
            automatic.add(producer, recording, kCheck);
        }
    }
    automatic.forget_recorded();
}

/// Everything has completed: the tasks that an iteration left out are armed as the others.
void rearm(PersistentGraph &graph) {
    const auto each = [&](auto f) {
        for (KeptNode &node : graph.kept->nodes)
            if (node.task != nullptr)
                f(node, node.task->predecessors);
    };
    each([](const KeptNode &node, std::atomic<std::int32_t> &predecessors) {
        predecessors.store(node.armed, std::memory_order_relaxed);
    });
    // The iteration before has subtracted its share, but of an empty node between iterations, which
    // has been passed.
    each([](const KeptNode &node, std::atomic<std::int32_t> &) {
        for (Task *next : node.successors_crossing())
            next->predecessors.fetch_sub(1, std::memory_order_relaxed);
    });
    each([](const KeptNode &node, std::atomic<std::int32_t> &predecessors) {
        if (predecessors.load(std::memory_order_relaxed) == 0)
            predecessors.store(node.armed, std::memory_order_relaxed);
    });
}

void conclude_iteration(AutomaticGraphs &automatic, PersistentGraph &graph) {
    constexpr unsigned tolerable = 8;
    if (graph.is_stream()) {
        rearm(graph);
    } else if (graph.state == State::executing && graph.owner.next == graph.owner.end) {
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

namespace {

/// Whether what was recorded ends with whole periods, and the next creation begins another one: a
/// stream is made of them, and begins.
bool begin_stream(Task &producer, PersistentGraphs &graphs, std::size_t payload, const void *code) {
    AutomaticGraphs &automatic = *graphs.automatic;
    const Recording &recording = automatic.scratch.recording;
    const std::size_t count = recording.entries.size();
    if (count > kMaxLookedAt && !automatic.has_waited) {
        // Until it waits.
        automatic.forget_recorded();
        intercept(producer, false);
        return false;
    }
    if (recording.unfit != nullptr || count > kMaxLookedAt || automatic.known.size() >= kMaxGraphs)
        return false;
    while (automatic.period.size() < count)
        automatic.period.add(fingerprint(recording, recording.entries[automatic.period.size()]));
    const std::size_t length = automatic.period.repeated(kLeastInStream);
    if (length == 0)
        return false;
    const Recording::Entry &first = recording.entries[count - length];
    if (first.code.code != code || first.payload != payload)
        return false;
    ++Worker::current()->discovery.stretches;
    PersistentGraph &graph =
        automatic.add(producer, tail_of(recording, length), kCheck | kNoBarrier);
    automatic.forget_recorded();
    graphs.current = &graph;
    // Its tasks have no edges to those that run.
    come_to_rest(producer, graph);
    graph.state = State::executing;
    begin_turn(producer, graph);
    return true;
}

} // namespace

void begin_turn(Task &producer, PersistentGraph &stream) {
    if (stream.entering)
        come_to_rest(producer, stream);
    if (LOOMP_UNLIKELY(!has_current_priorities(*stream.kept)))
        renew_priorities(*stream.kept);
    stream.failures = 0;
    stream.entered = 0;
    stream.start(0);
}

void leave_stream(Task &producer, PersistentGraph &stream) {
    PersistentGraphs &graphs = stream.owner;
    AutomaticGraphs &automatic = *graphs.automatic;
    retire(std::move(stream.kept));
    const auto at = std::find_if(automatic.known.begin(), automatic.known.end(),
                                 [&](const auto &known) { return known.get() == &stream; });
    automatic.left.push_back(std::move(*at));
    automatic.known.erase(at);
    automatic.forget_recorded();
    graphs.current = &automatic.scratch;
    automatic.fruitless += kLeft;
    if (automatic.fruitless > kMaxFruitless) {
        automatic.off = true;
        intercept(producer, false);
    }
}

bool choose_automatic(Task &producer, std::size_t payload, const void *code) {
    PersistentGraphs &graphs = *producer.map->persistent;
    AutomaticGraphs &automatic = *graphs.automatic;
    if (graphs.current != &automatic.scratch)
        return false;
    if (!automatic.scratch.recording.entries.empty())
        return begin_stream(producer, graphs, payload, code);
    for (auto &graph : automatic.known) {
        const KeptNode &first = graph->kept->nodes.front();
        if (first.code != code || first.payload != payload)
            continue;
        graphs.current = graph.get();
        graph->state = State::executing;
        begin_turn(producer, *graph);
        // Where stretches begin alike, they take turns.
        std::rotate(&graph, &graph + 1, automatic.known.data() + automatic.known.size());
        return true;
    }
    return false;
}

void children_have_completed(Task &producer) {
    // With transparent tasks, grandchildren may be outstanding, or what others' children wait for.
    if (producer.map == nullptr)
        return;
    if ((producer.flags & (kExports | kHasTransparent)) != 0)
        return note_transparent(/*automatic=*/true);
    PersistentGraphs *graphs = producer.map->persistent;
    if (graphs == nullptr) {
        if (producer.map->empty() || needs_no_graph(*Worker::current(), producer, kCheck))
            return;
        graphs = producer.map->persistent = new PersistentGraphs;
    }
    if (graphs->automatic == nullptr) {
        if (graphs->first != nullptr)
            return; // the program has graphs of its own
        graphs->automatic = new AutomaticGraphs(*graphs);
    }
    AutomaticGraphs &automatic = *graphs->automatic;
    automatic.left.clear();
    automatic.has_waited = true;
    if (automatic.off)
        return;
    intercept(producer, false);
    producer.map->clear();
    if (graphs->current == &automatic.scratch)
        conclude_stretch(producer, *graphs);
    else if (graphs->current != nullptr)
        conclude_iteration(automatic, *graphs->current);
    graphs->current = &automatic.scratch;
    if (automatic.fruitless > kMaxFruitless) {
        automatic.off = true;
        automatic.forget_recorded();
        return;
    }
    expect_tasks(*producer.team);
    intercept(producer, true);
}

void watch_from_start(Task &producer) {
    if (!producer.has(kImplicit) || (producer.flags & (kExports | kHasTransparent)) != 0 ||
        needs_no_graph(*Worker::current(), producer, kCheck))
        return;
    PersistentGraphs *graphs = producer.map->persistent = new PersistentGraphs;
    graphs->automatic = new AutomaticGraphs(*graphs);
    graphs->current = &graphs->automatic->scratch;
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
