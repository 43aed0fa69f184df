#include "profiler/metrics/iterations.h"

#include <algorithm>
#include <map>

namespace loomp::analysis {

namespace {

/// The explicit tasks of each rank in order of creation.
std::vector<std::vector<Index>> by_creation(const Trace &trace) {
    std::vector<std::vector<Index>> tasks(trace.ranks);
    for (Index i = 0; i < trace.tasks.size(); ++i)
        if (!trace.tasks[i].implicit)
            tasks[trace.tasks[i].rank].push_back(i);
    for (std::vector<Index> &of_rank : tasks)
        std::stable_sort(of_rank.begin(), of_rank.end(), [&](Index a, Index b) {
            return trace.tasks[a].created < trace.tasks[b].created;
        });
    return tasks;
}

/// The kind that begins each iteration; kNone if nothing is repeated.
Index marker(const Trace &trace, const std::vector<Index> &tasks) {
    std::vector<std::size_t> runs(trace.kinds.size(), 0);
    std::vector<Index> appeared; // kinds, in the order of their first tasks
    Index before = kNone;
    for (const Index task : tasks) {
        const Index kind = trace.tasks[task].kind;
        if (kind != before && kind != kNone && runs[kind]++ == 0)
            appeared.push_back(kind);
        before = kind;
    }
    std::map<std::size_t, std::size_t> kinds; // count of kinds with this number of runs
    for (const Index kind : appeared)
        if (runs[kind] > 1)
            ++kinds[runs[kind]];
    if (kinds.empty())
        return kNone;
    const auto iterations =
        std::max_element(kinds.begin(), kinds.end(), [](const auto &a, const auto &b) {
            return a.second < b.second;
        })->first;
    return *std::find_if(appeared.begin(), appeared.end(),
                         [&](Index kind) { return runs[kind] == iterations; });
}

/// Tasks before the first run of `kind` belong to the first iteration.
void count_by_marker(const Trace &trace, const std::vector<Index> &tasks, Index kind,
                     std::vector<Index> &iterations) {
    Index begun = 0;
    Index before = kNone;
    for (const Index task : tasks) {
        const Index now = trace.tasks[task].kind;
        begun += now == kind && before != kind ? 1 : 0;
        iterations[task] = begun == 0 ? 0 : begun - 1;
        before = now;
    }
}

void count_by_depth(const Trace &trace, const std::vector<std::vector<Index>> &tasks,
                    std::vector<Index> &iterations) {
    // Predecessors are usually created before a task; others are ignored.
    std::vector<Index> place(trace.tasks.size(), 0);
    for (const std::vector<Index> &of_rank : tasks)
        for (Index i = 0; i < of_rank.size(); ++i)
            place[of_rank[i]] = i;
    std::vector<Dependence> edges = trace.dependences;
    std::erase_if(edges, [&](const Dependence &edge) {
        return trace.tasks[edge.from].implicit || trace.tasks[edge.to].implicit ||
               place[edge.from] >= place[edge.to];
    });
    std::sort(edges.begin(), edges.end(),
              [&](const Dependence &a, const Dependence &b) { return place[a.to] < place[b.to]; });
    for (const Dependence &edge : edges)
        iterations[edge.to] = std::max(iterations[edge.to], iterations[edge.from] + 1);
}

} // namespace

std::vector<Index> iterations_of(const Trace &trace) {
    std::vector<Index> iterations(trace.tasks.size(), kNone);
    std::vector<std::vector<Index>> tasks = by_creation(trace);
    for (std::vector<Index> &of_rank : tasks) {
        for (const Index task : of_rank)
            iterations[task] = 0;
        const Index kind = marker(trace, of_rank);
        if (kind == kNone)
            continue;
        count_by_marker(trace, of_rank, kind, iterations);
        of_rank.clear();
    }
    // The remaining ranks repeat nothing.
    if (std::any_of(tasks.begin(), tasks.end(),
                    [](const auto &of_rank) { return !of_rank.empty(); })) {
        std::vector<Index> depths(trace.tasks.size(), 0);
        count_by_depth(trace, by_creation(trace), depths);
        for (const std::vector<Index> &of_rank : tasks)
            for (const Index task : of_rank)
                iterations[task] = depths[task];
    }
    return iterations;
}

} // namespace loomp::analysis
