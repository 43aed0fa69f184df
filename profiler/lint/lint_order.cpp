// Finds messages that nothing orders, although MPI matches them in the order in which they start.
//
// Two tasks of a rank send to one peer, or receive from it, with one tag and one communicator. If
// no path of the graph leads from the one to the other, any of them may start first, and messages
// change places. In a topological order of the graph, all requests of such a set are ordered if and
// only if each has a path to the next one. So a set of n requests takes n - 1 searches.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "profiler/graph/graph.h"
#include "profiler/lint/lint.h"

namespace loomp::analysis::linting {

namespace {

/// Nodes and edges that all searches together visit, for each node and edge of the graph. Searches
/// that would take more are left out.
constexpr std::size_t kVisits = 30;
/// Small graphs may take as many.
constexpr std::size_t kLeastVisits = 10'000'000;

bool is_send(const Request &request) {
    return request.kind == RequestKind::send || request.kind == RequestKind::synchronous_send;
}

/// MPI matches requests with equal envelopes in the order of their starts.
auto envelope(const Request &request) {
    return std::tuple(request.rank, is_send(request), request.communicator, request.peer,
                      request.tag);
}

/// The requests of explicit tasks, by envelope. Receives with wildcards take messages in any order,
/// which the program expects, and so do the sends that they match.
std::vector<Index> requests_of_tasks(const Trace &trace) {
    std::vector<bool> any(trace.requests.size(), false);
    for (const Message &message : trace.messages)
        any[message.send] = trace.requests[message.receive].wildcard;
    std::vector<Index> found;
    for (Index i = 0; i < trace.requests.size(); ++i) {
        const Request &request = trace.requests[i];
        if (request.kind == RequestKind::collective || request.started == kNever ||
            request.cancelled || request.wildcard || any[i] || request.communicator == kNone ||
            request.peer == kNone || request.tag == kAnyTag || request.start_call == kNone)
            continue;
        const Task &task = trace.tasks[trace.calls[request.start_call].task];
        if (!task.implicit && task.works())
            found.push_back(i);
    }
    std::sort(found.begin(), found.end(), [&](Index a, Index b) {
        return std::pair(envelope(trace.requests[a]), a) <
               std::pair(envelope(trace.requests[b]), b);
    });
    return found;
}

/// A pair of requests that are next to each other in the topological order of the graph.
struct Pair {
    Index first;
    Index second;
    Index from;  ///< position of the start of the first
    Index after; ///< position of the code after the call of the first
    Index to;    ///< position of the start of the second
    bool ordered = false;

    Index length() const { return to - from; }
};

class OrderFinder {
  public:
    OrderFinder(const Trace &trace, const Graph &graph, std::vector<Index> order)
        : trace_(trace), graph_(graph), order_(std::move(order)), position_(order_.size()),
          start_(trace.requests.size(), kNone), reached_(order_.size(), 0) {
        for (Index i = 0; i < order_.size(); ++i)
            position_[order_[i]] = i;
        for (Index node = 0; node < graph.nodes.size(); ++node)
            if (graph.nodes[node].kind == NodeKind::start)
                start_[graph.nodes[node].detail] = node;
    }

    /// The pairs that no path orders.
    std::vector<Pair> find(std::span<const Index> requests) {
        while (!requests.empty()) {
            const auto key = envelope(trace_.requests[requests.front()]);
            const auto end = std::find_if(requests.begin(), requests.end(), [&](Index i) {
                return envelope(trace_.requests[i]) != key;
            });
            add_pairs(requests.first(static_cast<std::size_t>(end - requests.begin())));
            requests = requests.subspan(static_cast<std::size_t>(end - requests.begin()));
        }
        search();
        return std::move(unordered_);
    }

  private:
    static constexpr std::size_t kAtOnce = 64; ///< searches that share a walk: bits of a mask

    Index task_of(Index request) const {
        return trace_.calls[trace_.requests[request].start_call].task;
    }

    /// The code after the call that starts the request. The start leads there only if the call also
    /// completes the request.
    Index code_after(Index request) const {
        Index node = start_[request];
        while (graph_.nodes[node].kind != NodeKind::code)
            ++node;
        return node;
    }

    /// Requests of one envelope.
    void add_pairs(std::span<const Index> requests) {
        std::vector<Index> sorted;
        for (const Index i : requests)
            if (start_[i] != kNone)
                sorted.push_back(i);
        std::sort(sorted.begin(), sorted.end(),
                  [&](Index a, Index b) { return position_[start_[a]] < position_[start_[b]]; });
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            const Index first = sorted[i - 1];
            const Index second = sorted[i];
            if (task_of(first) == task_of(second))
                continue;
            pairs_.push_back({first, second, position_[start_[first]], position_[code_after(first)],
                              position_[start_[second]]});
        }
    }

    /// Pairs of about equal lengths that are close to each other share a walk.
    void search() {
        std::sort(pairs_.begin(), pairs_.end(), [](const Pair &a, const Pair &b) {
            return std::pair(std::bit_width(a.length()), a.from) <
                   std::pair(std::bit_width(b.length()), b.from);
        });
        std::size_t left =
            std::max(kLeastVisits, kVisits * (graph_.nodes.size() + graph_.edges.size()));
        for (std::span<Pair> rest = pairs_; !rest.empty();) {
            const std::span<Pair> together = rest.first(std::min(rest.size(), kAtOnce));
            rest = rest.subspan(together.size());
            const std::size_t visits = walk(together, left);
            if (visits == 0)
                continue;
            left -= visits;
            for (const Pair &pair : together)
                if (!pair.ordered)
                    unordered_.push_back(pair);
        }
    }

    /// Finds what each pair's first one reaches, up to its second one. Returns the visited nodes
    /// and edges; 0 if they would be more than `most`.
    std::size_t walk(std::span<Pair> pairs, std::size_t most) {
        Index begin = kNone;
        Index end = 0;
        for (const Pair &pair : pairs) {
            begin = std::min(begin, pair.from);
            end = std::max(end, pair.to);
        }
        std::size_t visits = end - begin + 1;
        for (Index i = begin; i <= end && visits <= most; ++i)
            visits += graph_.edges_of(order_[i]).size();
        if (visits > most)
            return 0;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            for (const Index position : {pairs[i].from, pairs[i].after})
                if (position <= end)
                    reached_[position] |= std::uint64_t{1} << i;
        for (Index i = begin; i <= end; ++i)
            if (reached_[i] != 0)
                for (const Edge &edge : graph_.edges_of(order_[i]))
                    // The turns of a mutex may be other ones in the next run.
                    if (edge.kind != EdgeKind::turn && position_[edge.to] <= end)
                        reached_[position_[edge.to]] |= reached_[i];
        for (std::size_t i = 0; i < pairs.size(); ++i)
            pairs[i].ordered = (reached_[pairs[i].to] >> i & 1) != 0;
        std::fill(reached_.begin() + begin, reached_.begin() + end + 1, 0);
        return visits;
    }

    const Trace &trace_;
    const Graph &graph_;
    const std::vector<Index> order_;     ///< nodes, each after its predecessors
    std::vector<Index> position_;        ///< of each node in the order
    std::vector<Index> start_;           ///< each request's node
    std::vector<std::uint64_t> reached_; ///< by position: the pairs of a walk that reach it
    std::vector<Pair> pairs_;
    std::vector<Pair> unordered_;
};

/// True if a task has an envelope of another one.
bool any_pair(const Trace &trace, std::span<const Index> requests) {
    const auto task = [&](Index i) { return trace.calls[trace.requests[i].start_call].task; };
    for (std::size_t i = 1; i < requests.size(); ++i)
        if (envelope(trace.requests[requests[i - 1]]) == envelope(trace.requests[requests[i]]) &&
            task(requests[i - 1]) != task(requests[i]))
            return true;
    return false;
}

} // namespace

void find_unordered_messages(const Trace &trace, std::vector<Finding> &findings) {
    const std::vector<Index> requests = requests_of_tasks(trace);
    // A recording without waits does not show what orders tasks.
    if (trace.waits.empty() || !any_pair(trace, requests))
        return;
    const Graph graph = build_graph(trace, {.waits = true});
    auto order = graph.topological_order();
    if (!order)
        return;
    const auto kind_of = [&](Index request) {
        return trace.tasks[trace.calls[trace.requests[request].start_call].task].kind;
    };
    std::map<std::tuple<Advice, Index, Index>, Finding> found; // by the kinds
    for (const Pair &pair : OrderFinder(trace, graph, std::move(*order)).find(requests)) {
        const Advice advice = is_send(trace.requests[pair.first]) ? Advice::unordered_sends
                                                                  : Advice::unordered_receives;
        const auto [kind, other] = std::minmax({kind_of(pair.first), kind_of(pair.second)});
        Finding &finding = found
                               .try_emplace({advice, kind, other},
                                            Finding{.advice = advice, .kind = kind, .other = other})
                               .first->second;
        ++finding.count;
        finding.request = std::min(finding.request, pair.first);
    }
    for (const auto &[key, finding] : found)
        findings.push_back(finding);
}

} // namespace loomp::analysis::linting
