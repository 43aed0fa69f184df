#include "profiler/graph/critical_path.h"

#include <algorithm>

namespace loomp::analysis {

double CriticalPath::average_parallelism() const {
    return length == 0 ? 0 : static_cast<double>(work) / static_cast<double>(length);
}

double CriticalPath::lower_bound(unsigned threads) const {
    return std::max(static_cast<double>(work) / threads, static_cast<double>(length));
}

double CriticalPath::upper_bound(unsigned threads) const {
    return static_cast<double>(work) / threads + (1 - 1.0 / threads) * static_cast<double>(length);
}

std::optional<CriticalPath> critical_path(const Graph &graph, Weigh weigh) {
    const auto order = graph.topological_order();
    if (!order)
        return std::nullopt;
    CriticalPath path;
    std::vector<Time> earliest(graph.nodes.size(), 0); // start, with any number of threads
    std::vector<Index> before(graph.nodes.size(), kNone);
    Index last = kNone;
    for (const Index node : *order) {
        const Time end = earliest[node] + graph.nodes[node].duration;
        path.work += graph.nodes[node].duration;
        if (last == kNone || end > path.length || (end == path.length && node < last)) {
            path.length = end;
            last = node;
        }
        for (const Edge &edge : graph.edges_of(node)) {
            const Time start = end + (weigh == Weigh::work ? 0 : graph.duration_of(edge));
            if (before[edge.to] != kNone &&
                (start < earliest[edge.to] ||
                 (start == earliest[edge.to] && node > before[edge.to])))
                continue;
            earliest[edge.to] = start;
            before[edge.to] = node;
        }
    }
    for (Index node = last; node != kNone; node = before[node])
        path.nodes.push_back(node);
    std::reverse(path.nodes.begin(), path.nodes.end());
    return path;
}

} // namespace loomp::analysis
