#include "analysis/graph.h"

#include <algorithm>

#include "analysis/code.h"
#include "analysis/grouping.h"

namespace loomp::analysis {

namespace {

/// The nodes that a task begins and ends with.
struct Ends {
    Index first = kNone;
    Index last = kNone;
};

class Builder {
  public:
    Builder(const Trace &trace, const GraphOptions &options)
        : trace_(trace), options_(options), tasks_(trace.tasks.size()),
          starts_(trace.requests.size(), kNone), completions_(trace.requests.size(), kNone) {}

    Graph build() {
        graph_.nodes.reserve(trace_.tasks.size() + trace_.calls.size() + trace_.changes.size());
        graph_.edges.reserve(trace_.dependences.size() + 2 * trace_.calls.size() +
                             2 * trace_.changes.size() + trace_.messages.size());
        for (Index task = 0; task < trace_.tasks.size(); ++task)
            add_task(task);
        for (Index request = 0; request < starts_.size(); ++request)
            connect(starts_[request], completions_[request], EdgeKind::request);
        for (const Dependence &dependence : trace_.dependences)
            connect(tasks_[dependence.from].last, tasks_[dependence.to].first,
                    EdgeKind::dependence);
        for (const Message &message : trace_.messages)
            add_message(message);
        for (const std::vector<Index> &collective : trace_.collectives)
            add_collective(collective);
        sort_edges();
        return std::move(graph_);
    }

  private:
    Index add_node(const Node &node) {
        graph_.nodes.push_back(node);
        return static_cast<Index>(graph_.nodes.size() - 1);
    }

    void connect(Index from, Index to, EdgeKind kind) {
        if (from == kNone || to == kNone)
            return;
        const Time flight =
            between_ranks(kind) ? graph_.nodes[to].begin - graph_.nodes[from].begin : 0;
        graph_.edges.push_back({from, to, std::max<Time>(flight, 0), kind});
    }

    void add_task(Index task) {
        const auto calls = trace_.calls_of(task);
        if (trace_.tasks[task].implicit && std::none_of(calls.begin(), calls.end(), cuts))
            return;
        code_.clear();
        visit_code(trace_, task, [&](const Stretch &stretch) { code_.push_back(stretch); });
        add_nodes(task, code_);
    }

    void add_nodes(Index task, std::span<const Stretch> code) {
        const auto segments = trace_.segments_of(task);
        Index section = 0;
        Index thread = segments.empty() ? kNone : segments.front().thread;
        Time begin = segments.empty() ? trace_.tasks[task].created : segments.front().begin;
        Index before = add_section(task, section, begin, thread, code);
        tasks_[task].first = before;
        for (const Call &call : trace_.calls_of(task)) {
            if (!cuts(call))
                continue;
            add_changes(task, call);
            const Index after = add_section(task, ++section, call.end, call.thread, code);
            connect_call(call, before, after);
            before = after;
        }
        tasks_[task].last = before;
    }

    Index add_section(Index task, Index section, Time begin, Index thread,
                      std::span<const Stretch> &code) {
        Time duration = 0;
        if (!code.empty() && code.front().section == section) {
            begin = code.front().begin;
            thread = code.front().thread;
        }
        for (; !code.empty() && code.front().section == section; code = code.subspan(1))
            duration += code.front().end - code.front().begin;
        const Task &of = trace_.tasks[task];
        return add_node(
            {begin, of.implicit ? 0 : duration, of.rank, task, thread, section, NodeKind::code});
    }

    void add_changes(Index task, const Call &call) {
        for (const Change &change : trace_.changes_of(call)) {
            const Request &request = trace_.requests[change.request];
            const Time when = change.completes ? request.completed : request.started;
            const Index node =
                add_node({when, 0, request.rank, task, call.thread, change.request,
                          change.completes ? NodeKind::completion : NodeKind::start});
            (change.completes ? completions_ : starts_)[change.request] = node;
        }
    }

    void connect_call(const Call &call, Index before, Index after) {
        bool way_through = false;
        for (const Change &change : trace_.changes_of(call)) {
            if (!change.completes) {
                connect(before, starts_[change.request], EdgeKind::order);
                continue;
            }
            connect(completions_[change.request], after, EdgeKind::order);
            const Request &request = trace_.requests[change.request];
            way_through |= request.start_call == request.completion_call;
        }
        if (!way_through)
            connect(before, after, EdgeKind::order);
    }

    void add_message(const Message &message) {
        connect(starts_[message.send], completions_[message.receive], EdgeKind::message);
        if (trace_.requests[message.send].kind == RequestKind::synchronous_send)
            connect(starts_[message.receive], completions_[message.send], EdgeKind::synchronous);
    }

    void add_collective(const std::vector<Index> &requests) {
        if (requests.size() <= options_.direct_collective) {
            for (const Index from : requests)
                for (const Index to : requests)
                    if (from != to)
                        connect(starts_[from], completions_[to], EdgeKind::collective);
            return;
        }
        Time latest = 0;
        for (const Index request : requests)
            latest = std::max(latest, trace_.requests[request].started);
        const Index meeting =
            add_node({latest, 0, kNone, kNone, kNone, requests.front(), NodeKind::meeting});
        for (const Index request : requests) {
            connect(starts_[request], meeting, EdgeKind::collective);
            connect(meeting, completions_[request], EdgeKind::collective);
        }
    }

    void sort_edges() {
        graph_.first_edge = group(
            graph_.edges, graph_.nodes.size(), [](const Edge &edge) { return edge.from; },
            [](const Edge &a, const Edge &b) { return a.to < b.to; });
    }

    const Trace &trace_;
    const GraphOptions options_;
    Graph graph_;
    std::vector<Ends> tasks_;
    std::vector<Stretch> code_; ///< of the task that is added
    std::vector<Index> starts_; ///< each request's node
    std::vector<Index> completions_;
};

} // namespace

std::optional<std::vector<Index>> Graph::topological_order() const {
    std::vector<Index> waits_for(nodes.size(), 0);
    for (const Edge &edge : edges)
        ++waits_for[edge.to];
    std::vector<Index> order;
    order.reserve(nodes.size());
    for (Index node = 0; node < nodes.size(); ++node)
        if (waits_for[node] == 0)
            order.push_back(node);
    for (std::size_t done = 0; done < order.size(); ++done)
        for (const Edge &edge : edges_of(order[done]))
            if (--waits_for[edge.to] == 0)
                order.push_back(edge.to);
    if (order.size() != nodes.size())
        return std::nullopt;
    return order;
}

Graph build_graph(const Trace &trace, const GraphOptions &options) {
    return Builder(trace, options).build();
}

} // namespace loomp::analysis
