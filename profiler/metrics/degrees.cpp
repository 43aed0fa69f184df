#include "profiler/metrics/degrees.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace loomp::analysis {

namespace {

Degree degree_of(std::vector<Index> counts) {
    if (counts.empty())
        return {};
    const auto middle = counts.begin() + static_cast<std::ptrdiff_t>((counts.size() - 1) / 2);
    std::nth_element(counts.begin(), middle, counts.end());
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    const auto sum = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    return {*least, static_cast<double>(sum) / static_cast<double>(counts.size()), *middle, *most};
}

} // namespace

Degrees degrees(const Graph &graph) {
    std::vector<Index> in(graph.nodes.size(), 0);
    std::vector<Index> out(graph.nodes.size(), 0);
    for (const Edge &edge : graph.edges) {
        ++out[edge.from];
        ++in[edge.to];
    }
    std::vector<Index> all(graph.nodes.size());
    std::transform(in.begin(), in.end(), out.begin(), all.begin(), std::plus());
    return {graph.nodes.size(), graph.edges.size(), degree_of(std::move(in)),
            degree_of(std::move(out)), degree_of(std::move(all))};
}

} // namespace loomp::analysis
