#include "profiler/export/exporters.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "profiler/metrics/user_regions.h"
#include "profiler/trace/calls.h"
#include "profiler/trace/clean_text.h"

namespace loomp::analysis {

namespace {

constexpr std::array<const char *, 4> kNodeKinds = {"code", "start", "completion", "meeting"};

const char *name_of(NodeKind kind) { return kNodeKinds[static_cast<std::size_t>(kind)]; }

/// Quotes text of a trace for both Graphviz and JSON. It has no control characters.
std::string quoted(const std::string &text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\')
            result += '\\';
        result += letter;
    }
    return result + '"';
}

/// Nanoseconds as microseconds, exactly.
std::string microseconds(Time time) {
    char text[40];
    std::snprintf(text, sizeof text, "%s%lld.%03lld", time < 0 ? "-" : "",
                  static_cast<long long>((time < 0 ? -time : time) / 1000),
                  static_cast<long long>((time < 0 ? -time : time) % 1000));
    return text;
}

std::string label_of(const Trace &trace, const Task &task) {
    return task.works() ? label_of(trace, task.kind) : "implicit task";
}

/// A task's counters as further fields of an object. Only its first segment has them.
std::string counts_of(const Trace &trace, Index task) {
    std::string fields;
    for (std::size_t i = 0; i < trace.counters.size(); ++i)
        fields += ',' + quoted(trace.counters[i]) + ':' + std::to_string(trace.counts_of(task)[i]);
    return fields;
}

std::string label_of(const Trace &trace, const Node &node) {
    if (node.kind != NodeKind::code)
        return name_of(node.kind);
    return label_of(trace, trace.tasks[node.task]);
}

/// Writes Perfetto's list with an event a line.
class Events {
  public:
    explicit Events(std::ostream &out) : out_(out) {
        out_ << R"({"displayTimeUnit":"ns","traceEvents":[)";
    }
    Events(const Events &) = delete;
    Events &operator=(const Events &) = delete;
    ~Events() { out_ << "\n]}\n"; }

    void name(const char *what, Index rank, Index thread, const std::string &text) {
        next() << R"({"ph":"M","name":")" << what << '"' << place(rank, thread)
               << R"(,"args":{"name":)" << quoted(text) << "}}";
    }
    void span(const char *category, const Thread &thread, Interval time, const std::string &name,
              std::uint64_t task, const std::string &more = {}) {
        next() << R"({"ph":"X","cat":")" << category << R"(","name":)" << quoted(name)
               << place(thread.rank, thread.number) << R"(,"ts":)" << microseconds(time.begin)
               << R"(,"dur":)" << microseconds(time.length()) << R"(,"args":{"task":")" << task
               << '"' << more << "}}";
    }
    /// One end of an arrow; `what` holds its category and name.
    void end(const char *phase, const char *what, const Thread &thread, Time time, std::size_t id) {
        next() << R"({"ph":")" << phase << R"(","bp":"e","cat":")" << what << R"(","name":")"
               << what << '"' << place(thread.rank, thread.number) << R"(,"ts":)"
               << microseconds(time) << R"(,"id":)" << id << '}';
    }
    /// A state of a task, or the task itself, independent of threads. `id` is the task's.
    void state(Index rank, std::size_t id, Interval time, const std::string &name) {
        for (const auto &[phase, at] : {std::pair("b", time.begin), std::pair("e", time.end)})
            next() << R"({"ph":")" << phase << R"(","cat":"task state","name":)" << quoted(name)
                   << place(rank, 0) << R"(,"ts":)" << microseconds(at) << R"(,"id":)" << id << '}';
    }
    /// The count of tasks in each state from `time` on.
    void numbers(Index rank, Time time, Time ready, Time running, Time suspended) {
        next() << R"({"ph":"C","name":"tasks")" << place(rank, 0) << R"(,"ts":)"
               << microseconds(time) << R"(,"args":{"ready":)" << ready << R"(,"running":)"
               << running << R"(,"suspended":)" << suspended << "}}";
    }

  private:
    static std::string place(Index rank, Index thread) {
        return ",\"pid\":" + std::to_string(rank) + ",\"tid\":" + std::to_string(thread);
    }
    std::ostream &next() {
        out_ << (any_ ? ",\n" : "\n");
        any_ = true;
        return out_;
    }

    std::ostream &out_;
    bool any_ = false;
};

/// The states of a task from its creation on.
enum class State : std::uint8_t { blocked, ready, running, suspended };
constexpr std::array<const char *, 4> kStateNames = {"waits for predecessors", "ready", "running",
                                                     "suspended"};

/// Calls `visit(state, interval)` for each state that an explicit task is in, in order of time.
template <class Visit> void visit_states(const Trace &trace, Index task, Visit visit) {
    const auto add = [&](State state, Time begin, Time end) {
        if (begin < end)
            visit(state, Interval{begin, end});
    };
    Time left = trace.tasks[task].created;
    bool first = true;
    for (const Segment &segment : trace.segments_of(task)) {
        const Time ready = segment.ready == kNever ? segment.begin : segment.ready;
        if (left != kNever)
            add(first ? State::blocked : State::suspended, left, std::max(left, ready));
        add(State::ready, left == kNever ? ready : std::max(left, ready), segment.begin);
        add(State::running, segment.begin, segment.end);
        left = segment.end;
        first = false;
    }
}

/// Writes the states of each task inside the task itself, and the count of tasks in each state.
void write_states(const Trace &trace, Events &events) {
    struct Change {
        Time time;
        State state;
        int by;
    };
    std::vector<std::vector<Change>> changes(trace.ranks);
    for (Index i = 0; i < trace.tasks.size(); ++i) {
        const Task &task = trace.tasks[i];
        const auto segments = trace.segments_of(i);
        if (task.implicit || segments.empty() || task.rank == kNone)
            continue;
        const Time begin = std::min(
            {task.created, segments.front().begin,
             segments.front().ready == kNever ? segments.front().begin : segments.front().ready});
        events.state(task.rank, i, {begin, segments.back().end}, label_of(trace, task));
        visit_states(trace, i, [&](State state, Interval time) {
            events.state(task.rank, i, time, kStateNames[static_cast<std::size_t>(state)]);
            changes[task.rank].push_back({time.begin, state, 1});
            changes[task.rank].push_back({time.end, state, -1});
        });
    }
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        std::vector<Change> &list = changes[rank];
        std::stable_sort(list.begin(), list.end(),
                         [](const Change &a, const Change &b) { return a.time < b.time; });
        std::array<Time, kStateNames.size()> now{};
        for (std::size_t i = 0; i < list.size(); ++i) {
            now[static_cast<std::size_t>(list[i].state)] += list[i].by;
            if (i + 1 == list.size() || list[i + 1].time != list[i].time)
                events.numbers(rank, list[i].time, now[static_cast<std::size_t>(State::ready)],
                               now[static_cast<std::size_t>(State::running)],
                               now[static_cast<std::size_t>(State::suspended)]);
        }
    }
}

/// A track for each row of a device, after the threads of its rank.
void write_device_work(const Trace &trace, Events &events) {
    std::vector<Index> next(trace.ranks, 0);
    for (const Thread &thread : trace.threads)
        next[thread.rank] = std::max(next[thread.rank], thread.number + 1);
    const DeviceWork *before = nullptr;
    Thread track{};
    for (const DeviceWork &done : trace.device_work) {
        const auto lane = [](const DeviceWork &work) {
            return std::tie(work.rank, work.device, work.row);
        };
        if (before == nullptr || lane(*before) != lane(done)) {
            track = {done.rank, next[done.rank]++};
            events.name("thread_name", track.rank, track.number,
                        "device " + std::to_string(done.device) + " row " +
                            std::to_string(done.row));
        }
        before = &done;
        events.span("device", track, {done.begin, done.end}, label_of(trace, done.kind),
                    done.task == kNone ? 0 : trace.tasks[done.task].id,
                    ",\"bytes\":" + std::to_string(done.bytes));
    }
}

/// An arrow from the end of each predecessor to the beginning of its successor.
void write_dependences(const Trace &trace, Events &events, std::size_t first_id) {
    for (std::size_t i = 0; i < trace.dependences.size(); ++i) {
        const auto from = trace.segments_of(trace.dependences[i].from);
        const auto to = trace.segments_of(trace.dependences[i].to);
        if (from.empty() || to.empty())
            continue;
        // The arrow must begin inside the slice, whose end does not belong to it.
        const Time end = std::max(from.back().begin, from.back().end - 1);
        events.end("s", "dependence", trace.threads[from.back().thread], end, first_id + i);
        events.end("f", "dependence", trace.threads[to.front().thread], to.front().begin,
                   first_id + i);
    }
}

/// Slices of a thread must be nested, so a region that ends in another one is cut there.
void write_user_regions(const Trace &trace, Events &events) {
    struct Part {
        Interval time;
        Index region;
        bool operator>(const Part &other) const {
            return std::tuple(time.begin, -time.end, region) >
                   std::tuple(other.time.begin, -other.time.end, other.region);
        }
    };
    std::vector<std::priority_queue<Part, std::vector<Part>, std::greater<>>> parts(
        trace.threads.size());
    for (Index i = 0; i < trace.user_regions.size(); ++i)
        visit_parts(trace, trace.user_regions[i],
                    [&](Index thread, Interval time) { parts[thread].push({time, i}); });
    for (Index thread = 0; thread < parts.size(); ++thread) {
        std::vector<Time> around; // ends
        auto &rest = parts[thread];
        while (!rest.empty()) {
            Part part = rest.top();
            rest.pop();
            while (!around.empty() && around.back() <= part.time.begin)
                around.pop_back();
            if (!around.empty() && around.back() < part.time.end) {
                rest.push({{around.back(), part.time.end}, part.region});
                part.time.end = around.back();
            }
            around.push_back(part.time.end);
            const UserRegion &region = trace.user_regions[part.region];
            events.span("region", trace.threads[thread], part.time, label_of(trace, region.kind),
                        region.task == kNone ? 0 : trace.tasks[region.task].id);
        }
    }
}

} // namespace

void write_dot(const Trace &trace, const Graph &graph, std::ostream &out) {
    out << "digraph trace {\n  node [shape=box];\n";
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        out << "  subgraph cluster_" << rank << " {\n    label=\"rank " << rank << "\";\n";
        for (Index i = 0; i < graph.nodes.size(); ++i) {
            const Node &node = graph.nodes[i];
            if (node.rank != rank)
                continue;
            // Graphviz refuses strings of 16 KiB.
            constexpr std::size_t kLongestLabel = 2000;
            out << "    n" << i
                << " [label=" << quoted(shortened(label_of(trace, node), kLongestLabel));
            if (node.kind != NodeKind::code)
                out << ", shape=ellipse";
            else
                out << ", tooltip=\"" << microseconds(node.duration) << " us\"";
            out << "];\n";
        }
        out << "  }\n";
    }
    for (Index i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].rank == kNone)
            out << "  n" << i << " [label=\"\", shape=point];\n";
    for (const Edge &edge : graph.edges)
        out << "  n" << edge.from << " -> n" << edge.to
            << (between_ranks(edge.kind) ? " [style=dashed];\n" : ";\n");
    out << "}\n";
}

void write_perfetto(const Trace &trace, std::ostream &out) {
    Events events(out);
    for (Index rank = 0; rank < trace.ranks; ++rank)
        events.name("process_name", rank, 0, "rank " + std::to_string(rank));
    for (const Thread &thread : trace.threads)
        events.name("thread_name", thread.rank, thread.number,
                    (thread.stands_in ? "stand-in as thread " : "thread ") +
                        std::to_string(thread.number));
    Index counted = kNone;
    for (const Segment &segment : trace.segments) {
        const Task &task = trace.tasks[segment.task];
        if (task.works())
            events.span("task", trace.threads[segment.thread], {segment.begin, segment.end},
                        label_of(trace, task), task.id,
                        segment.task == counted ? "" : counts_of(trace, segment.task));
        counted = segment.task;
    }
    write_user_regions(trace, events);
    for (Index task = 0; task < trace.tasks.size(); ++task)
        visit_calls(trace, task, [&](const Call &call, const Segment &segment, Interval part) {
            events.span("mpi", trace.threads[segment.thread], part, label_of(trace, call.function),
                        trace.tasks[task].id);
        });
    for (std::size_t i = 0; i < trace.messages.size(); ++i) {
        const Request &send = trace.requests[trace.messages[i].send];
        const Request &receive = trace.requests[trace.messages[i].receive];
        events.end("s", "message",
                   trace.threads[thread_at(trace, trace.calls[send.start_call], send.started)],
                   send.started, i);
        // Arrows end in slices, so a completion without a call gets a slice.
        if (const Call &call = trace.calls[receive.completion_call]; completes_without_call(call))
            events.span("mpi", trace.threads[call.thread], {call.begin, call.end}, "completion",
                        trace.tasks[call.task].id);
        events.end("f", "message",
                   trace.threads[thread_at(trace, trace.calls[receive.completion_call],
                                           receive.completed)],
                   receive.completed, i);
    }
    write_device_work(trace, events);
    write_dependences(trace, events, trace.messages.size());
    write_states(trace, events);
}

} // namespace loomp::analysis
