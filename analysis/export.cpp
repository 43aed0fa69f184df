#include "analysis/export.h"

#include <array>
#include <cstdio>
#include <string>

#include "analysis/calls.h"

namespace loomp::analysis {

namespace {

constexpr std::array<const char *, 4> kNodeKinds = {"code", "start", "completion", "meeting"};
constexpr std::array<const char *, 6> kEdgeKinds = {"order",   "request",     "dependence",
                                                    "message", "synchronous", "collective"};

const char *name_of(NodeKind kind) { return kNodeKinds[static_cast<std::size_t>(kind)]; }
const char *name_of(EdgeKind kind) { return kEdgeKinds[static_cast<std::size_t>(kind)]; }

/// In quotes, as both Graphviz and JSON understand it.
std::string quoted(const std::string &text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\')
            result += '\\';
        result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    return result + '"';
}

std::string in_xml(const std::string &text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '&')
            result += "&amp;";
        else if (letter == '<')
            result += "&lt;";
        else
            result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    return result;
}

/// Nanoseconds as microseconds, exactly.
std::string microseconds(Time time) {
    char text[40];
    std::snprintf(text, sizeof text, "%s%lld.%03lld", time < 0 ? "-" : "",
                  static_cast<long long>((time < 0 ? -time : time) / 1000),
                  static_cast<long long>((time < 0 ? -time : time) % 1000));
    return text;
}

std::string kind_of(const Trace &trace, Index kind) {
    return kind == kNone ? "(unknown)" : trace.kinds[kind].label;
}

std::string label_of(const Trace &trace, const Task &task) {
    return task.implicit ? "implicit task" : kind_of(trace, task.kind);
}

/// All that a task counted, as further fields of an object: its first segment has them.
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

/// Perfetto's list, an event a line.
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
    /// One end of an arrow.
    void end(const char *phase, const Thread &thread, Time time, std::size_t id) {
        next() << R"({"ph":")" << phase << R"(","bp":"e","cat":"message","name":"message")"
               << place(thread.rank, thread.number) << R"(,"ts":)" << microseconds(time)
               << R"(,"id":)" << id << '}';
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

} // namespace

void write_dot(const Trace &trace, const Graph &graph, std::ostream &out) {
    out << "digraph trace {\n  node [shape=box];\n";
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        out << "  subgraph cluster_" << rank << " {\n    label=\"rank " << rank << "\";\n";
        for (Index i = 0; i < graph.nodes.size(); ++i) {
            const Node &node = graph.nodes[i];
            if (node.rank != rank)
                continue;
            out << "    n" << i << " [label=" << quoted(label_of(trace, node));
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

void write_graphml(const Trace &trace, const Graph &graph, std::ostream &out) {
    out << R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="label" for="node" attr.name="label" attr.type="string"/>
<key id="kind" for="all" attr.name="kind" attr.type="string"/>
<key id="rank" for="node" attr.name="rank" attr.type="int"/>
<key id="begin" for="node" attr.name="begin" attr.type="long"/>
<key id="duration" for="all" attr.name="duration" attr.type="long"/>
<graph edgedefault="directed">
)";
    const auto data = [&](const char *key, const auto &value) {
        out << "<data key=\"" << key << "\">" << value << "</data>";
    };
    for (Index i = 0; i < graph.nodes.size(); ++i) {
        const Node &node = graph.nodes[i];
        out << "<node id=\"n" << i << "\">";
        data("label", in_xml(label_of(trace, node)));
        data("kind", name_of(node.kind));
        if (node.rank != kNone)
            data("rank", node.rank);
        data("begin", node.begin);
        data("duration", node.duration);
        out << "</node>\n";
    }
    for (const Edge &edge : graph.edges) {
        out << "<edge source=\"n" << edge.from << "\" target=\"n" << edge.to << "\">";
        data("kind", name_of(edge.kind));
        data("duration", edge.duration);
        out << "</edge>\n";
    }
    out << "</graph>\n</graphml>\n";
}

void write_perfetto(const Trace &trace, std::ostream &out) {
    Events events(out);
    for (Index rank = 0; rank < trace.ranks; ++rank)
        events.name("process_name", rank, 0, "rank " + std::to_string(rank));
    for (const Thread &thread : trace.threads)
        events.name("thread_name", thread.rank, thread.number,
                    "thread " + std::to_string(thread.number));
    Index counted = kNone;
    for (const Segment &segment : trace.segments) {
        const Task &task = trace.tasks[segment.task];
        if (!task.implicit)
            events.span("task", trace.threads[segment.thread], {segment.begin, segment.end},
                        label_of(trace, task), task.id,
                        segment.task == counted ? "" : counts_of(trace, segment.task));
        counted = segment.task;
    }
    for (Index task = 0; task < trace.tasks.size(); ++task)
        visit_calls(trace, task, [&](const Call &call, const Segment &segment, Interval part) {
            events.span("mpi", trace.threads[segment.thread], part, kind_of(trace, call.function),
                        trace.tasks[task].id);
        });
    for (std::size_t i = 0; i < trace.messages.size(); ++i) {
        const Request &send = trace.requests[trace.messages[i].send];
        const Request &receive = trace.requests[trace.messages[i].receive];
        events.end("s", trace.threads[thread_at(trace, trace.calls[send.start_call], send.started)],
                   send.started, i);
        events.end("f",
                   trace.threads[thread_at(trace, trace.calls[receive.completion_call],
                                           receive.completed)],
                   receive.completed, i);
    }
}

} // namespace loomp::analysis
