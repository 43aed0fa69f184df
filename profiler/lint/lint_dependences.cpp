// Findings about depend clauses.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "profiler/lint/lint.h"
#include "profiler/simulation/simulation.h"
#include "profiler/trace/accesses.h"

namespace loomp::analysis::linting {

namespace {

Index kind_of(const Trace &trace, Index task) { return trace.tasks[task].kind; }

/// Predecessors of each task.
class Predecessors {
  public:
    explicit Predecessors(const Trace &trace) : first_(trace.tasks.size() + 1, 0) {
        for (const Dependence &dependence : trace.dependences)
            ++first_[dependence.to + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        tasks_.resize(trace.dependences.size());
        std::vector<Index> place(first_.begin(), first_.end() - 1);
        for (const Dependence &dependence : trace.dependences)
            tasks_[place[dependence.to]++] = dependence.from;
    }

    std::span<const Index> of(Index task) const {
        return std::span(tasks_).subspan(first_[task], first_[task + 1] - first_[task]);
    }

  private:
    std::vector<Index> first_;
    std::vector<Index> tasks_;
};

/// Writers of one kind in a row at one location.
struct Row {
    Index kind = kNone; ///< the tasks' kind
    std::vector<Index> accesses;
};

class Rows {
  public:
    explicit Rows(const Trace &trace) : trace_(trace) {}

    /// The positions of the accesses in rows of two and more, ascending, by the kind of their
    /// tasks.
    std::map<Index, std::vector<Index>> find() {
        const Task *before = nullptr;
        visit_merged(trace_.accesses, [&](std::size_t first, const Access &access) {
            const Task &task = trace_.tasks[access.task];
            if (before != nullptr && (task.rank != before->rank || task.parent != before->parent))
                end_all();
            before = &task;
            add(static_cast<Index>(first), access, task.kind);
        });
        end_all();
        for (auto &[kind, accesses] : found_)
            std::sort(accesses.begin(), accesses.end());
        return std::move(found_);
    }

  private:
    void add(Index first, const Access &access, Index kind) {
        if (access.kind == AccessKind::all_memory) {
            end_all();
            return;
        }
        Row &row = rows_[access.location];
        const bool writes = access.kind == AccessKind::inout && kind != kNone;
        if (!writes || row.kind != kind)
            end(row);
        if (writes) {
            row.kind = kind;
            row.accesses.push_back(first);
        }
    }

    void end(Row &row) {
        if (row.accesses.size() > 1) {
            std::vector<Index> &found = found_[row.kind];
            found.insert(found.end(), row.accesses.begin(), row.accesses.end());
        }
        row.accesses.clear();
        row.kind = kNone;
    }

    void end_all() {
        for (auto &[location, row] : rows_)
            end(row);
        rows_.clear();
    }

    const Trace &trace_;
    std::unordered_map<std::uint64_t, Row> rows_;
    std::map<Index, std::vector<Index>> found_;
};

} // namespace

void find_redundant_edges(const Trace &trace, const Costs &costs, const LintOptions &options,
                          std::vector<Finding> &findings) {
    const Predecessors predecessors(trace);
    const auto created = [&](Index task) { return trace.tasks[task].created; };
    std::map<std::pair<Index, Index>, std::size_t> counts; // by kinds of successor, predecessor
    std::vector<Index> seen(trace.tasks.size(), kNone);    // during the search for the edges of a
                                                           // task
    std::vector<Index> stack;
    for (Index task = 0; task < trace.tasks.size(); ++task) {
        const auto direct = predecessors.of(task);
        if (direct.size() < 2)
            continue;
        // A task that is reachable from a predecessor needs no edge. Tasks older than all
        // predecessors do not matter.
        Time oldest = kNever;
        for (const Index index : direct)
            oldest = std::min(oldest, created(index));
        stack.assign(direct.begin(), direct.end());
        std::size_t looked_at = 0;
        while (!stack.empty() && looked_at < options.search) {
            const Index from = stack.back();
            stack.pop_back();
            for (const Index index : predecessors.of(from)) {
                if (seen[index] == task || created(index) < oldest)
                    continue;
                seen[index] = task;
                ++looked_at;
                stack.push_back(index);
            }
        }
        for (const Index index : direct)
            if (seen[index] == task)
                ++counts[{kind_of(trace, task), kind_of(trace, index)}];
    }
    for (const auto &[kinds, count] : counts)
        findings.push_back({.advice = Advice::redundant_edges,
                            .kind = kinds.first,
                            .other = kinds.second,
                            .count = count,
                            .cause = static_cast<Time>(costs.item),
                            .gain = static_cast<double>(count) * costs.item /
                                    static_cast<double>(trace.count_threads())});
}

void find_duplicate_items(const Trace &trace, const Costs &costs, std::vector<Finding> &findings) {
    const std::vector<Access> &accesses = trace.accesses;
    std::map<Index, std::size_t> counts;
    for (std::size_t i = 1; i < accesses.size(); ++i)
        if (accesses[i].task == accesses[i - 1].task &&
            accesses[i].location == accesses[i - 1].location &&
            accesses[i].kind != AccessKind::all_memory &&
            accesses[i - 1].kind != AccessKind::all_memory)
            ++counts[kind_of(trace, accesses[i].task)];
    for (const auto &[kind, count] : counts)
        findings.push_back({.advice = Advice::duplicate_items,
                            .kind = kind,
                            .count = count,
                            .cause = static_cast<Time>(costs.item),
                            .gain = static_cast<double>(count) * costs.item /
                                    static_cast<double>(trace.count_threads())});
}

void find_inoutsets(const Trace &trace, Program &program, const LintOptions &options,
                    std::vector<Finding> &findings) {
    const auto rows = Rows(trace).find();
    if (rows.empty())
        return;
    std::vector<Index> kinds;
    kinds.reserve(rows.size());
    for (const auto &[kind, of] : rows)
        kinds.push_back(kind);
    std::stable_sort(kinds.begin(), kinds.end(),
                     [&](Index a, Index b) { return rows.at(a).size() > rows.at(b).size(); });
    kinds.resize(std::min(kinds.size(), options.simulations));
    SimulationOptions how;
    how.threads = static_cast<Index>(std::max(1.0, threads_per_rank(trace)));
    how.at_once = false;
    how.keeps_tasks = false;
    const auto makespan = [&]() -> std::optional<Time> {
        const Simulation simulation = simulate(trace, program, how);
        return simulation.held.empty() ? std::optional(simulation.makespan) : std::nullopt;
    };
    const std::optional<Time> before = makespan();
    if (!before) // nothing to compare with
        return;
    for (const Index kind : kinds) {
        const std::vector<Dependence> dependences = find_dependences(trace, rows.at(kind));
        program.dependences = dependences;
        const Time gain = *before - simulate(trace, program, how).makespan;
        if (gain > 0)
            findings.push_back({.advice = Advice::inoutset,
                                .kind = kind,
                                .count = rows.at(kind).size(),
                                .cause = *before,
                                .gain = static_cast<double>(gain)});
        program.dependences = trace.dependences;
    }
}

} // namespace loomp::analysis::linting
