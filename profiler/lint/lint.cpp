#include "profiler/lint/lint.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/tasks.h"
#include "profiler/trace/calls.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

using linting::Costs;

/// The longest time that creating a task is believed to take, without the items of its clause. The
/// time between two creations is also the creator's own code, which the trace does not tell apart.
constexpr Time kLongestCreation = 100'000;

/// Calls `visit(task, time)` for each task after whose creation the thread only created another
/// one, `time` later.
template <class Visit> void visit_creations(const Program &program, Visit visit) {
    for (auto thread = program.tasks; thread < program.rank.size(); ++thread) {
        const auto steps = program.steps_of(thread);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].kind != Step::create)
                continue;
            const bool code = i + 1 < steps.size() && steps[i + 1].kind == Step::code;
            const std::size_t next = i + (code ? 2 : 1);
            if (next < steps.size() && steps[next].kind == Step::create)
                visit(steps[i].what, code ? steps[i + 1].duration : 0);
        }
    }
}

/// The cost of a creation is the least time from one to the next that occurs often: the low
/// quartile, since longer ones contain code of the creator. If even that is too long for a
/// creation, the cost is at most the longest one: the gain, in sum, decides whether that matters.
/// The slope of these times over the first clause's items is the cost of an item.
Costs measure(const Trace &trace, const Program &program) {
    std::vector<Index> items(trace.tasks.size(), 0);
    for (const Access &access : trace.accesses)
        ++items[access.task];
    std::vector<Time> times;
    visit_creations(program, [&](Index, Time time) { times.push_back(time); });
    Costs costs{.start = program.delays.mean};
    if (times.empty())
        return costs;
    const auto low = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 4);
    std::nth_element(times.begin(), low, times.end());
    costs.creation = *low;
    // Least squares over the creations that contain little else.
    constexpr Time kOutlier = 10; // low quartiles
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    visit_creations(program, [&](Index task, Time between) {
        if (between > kOutlier * costs.creation)
            return;
        const auto count = static_cast<double>(items[task]);
        const auto time = static_cast<double>(between);
        n += 1;
        x += count;
        y += time;
        xx += count * count;
        xy += count * time;
        yy += time * time;
    });
    const double spread = n * xx - x * x;
    if (spread > 0)
        costs.item = std::max(0.0, (n * xy - x * y) / spread);
    if (costs.creation <= kLongestCreation)
        return costs;
    // These times are mostly the creator's code, unless the items explain most of their variance.
    constexpr double kExplains = 0.5;
    const double explained = costs.item * (n * xy - x * y);
    if (n < 3 || explained < kExplains * (n * yy - y * y))
        costs.item = 0;
    const Time longest = kLongestCreation + static_cast<Time>(costs.item * x / n);
    costs.creation_at_most = costs.creation > longest;
    costs.creation = std::min(costs.creation, longest);
    return costs;
}

void find_fine_tasks(const Trace &trace, const Costs &costs, const LintOptions &options,
                     std::vector<Finding> &findings) {
    const auto cost = static_cast<double>(costs.creation + costs.start);
    const double enough = options.coarse * cost;
    const double threads = static_cast<double>(trace.count_threads());
    for (const KindRow &row : kind_table(trace)) {
        const double grain = row.mean();
        if (row.count < 2 || grain >= enough)
            continue;
        // Merges until tasks are coarse enough, at best into one.
        const auto count = static_cast<double>(row.count);
        const double left = std::max(1.0, count * grain / enough);
        findings.push_back({.advice = Advice::fine_tasks,
                            .kind = row.kind,
                            .count = row.count,
                            .cause = static_cast<Time>(cost),
                            .computes = costs.creation_at_most,
                            .gain = (count - left) * cost / threads});
    }
}

/// For each rank, the kind of most of the tasks that its threads created.
std::vector<Index> most_created(const Trace &trace) {
    std::vector<std::map<Index, std::size_t>> counts(trace.ranks);
    for (const Task &task : trace.tasks)
        if (!task.implicit)
            ++counts[task.rank][task.kind];
    std::vector<Index> most;
    most.reserve(counts.size());
    for (const auto &of_rank : counts) {
        const auto found =
            std::max_element(of_rank.begin(), of_rank.end(),
                             [](const auto &a, const auto &b) { return a.second < b.second; });
        most.push_back(found == of_rank.end() ? kNone : found->first);
    }
    return most;
}

/// Finds threads of a rank that create nothing and are idle while another one creates.
void find_discovery(const Trace &trace, std::vector<Finding> &findings) {
    const Interval makespan = trace.makespan();
    std::vector<std::vector<Interval>> creating(trace.ranks);
    std::vector<std::size_t> tasks(trace.ranks, 0);
    std::vector<bool> creates(trace.threads.size(), false);
    const std::vector<std::vector<Interval>> away = away_from_creation(trace);
    for (const Discovery &row : discovery(trace)) {
        const Index rank = trace.threads[row.thread].rank;
        const auto times = rest_of(away[row.thread], common(row.time, makespan));
        creating[rank].insert(creating[rank].end(), times.begin(), times.end());
        tasks[rank] += row.tasks;
        creates[row.thread] = true;
    }
    for (std::vector<Interval> &of_rank : creating)
        of_rank = unite(std::move(of_rank));
    std::vector<Time> idle(trace.ranks, 0);
    const std::vector<std::vector<Interval>> idle_of_threads = idle_times(trace, makespan);
    for (Index thread = 0; thread < trace.threads.size(); ++thread)
        if (const Index rank = trace.threads[thread].rank; !creates[thread])
            idle[rank] += common_length(idle_of_threads[thread], creating[rank], makespan);
    const std::vector<std::size_t> threads = trace.count_threads_of_ranks();
    const std::vector<Index> kinds = most_created(trace);
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        if (idle[rank] == 0)
            continue;
        const Time time = length_within(creating[rank], makespan);
        findings.push_back(
            {.advice = Advice::discovery,
             .kind = kinds[rank],
             .rank = rank,
             .count = tasks[rank],
             .cause = time,
             .computes = time > kLongestCreation * static_cast<Time>(tasks[rank]),
             .gain = static_cast<double>(idle[rank]) / static_cast<double>(threads[rank])});
    }
}

} // namespace

double linting::threads_per_rank(const Trace &trace) {
    return trace.ranks == 0
               ? 1
               : static_cast<double>(trace.count_threads()) / static_cast<double>(trace.ranks);
}

std::vector<Finding> lint(const Trace &trace, const LintOptions &options) {
    Program program = make_program(trace);
    const Costs costs = measure(trace, program);
    std::vector<Finding> findings;
    linting::find_redundant_edges(trace, costs, options, findings);
    linting::find_duplicate_items(trace, costs, findings);
    linting::find_unordered_messages(trace, findings);
    linting::find_late_messages(trace, program, findings);
    linting::find_inoutsets(trace, program, options, findings);
    find_discovery(trace, findings);
    find_fine_tasks(trace, costs, options, findings);
    linting::find_device_faults(trace, findings);
    linting::find_region_faults(trace, options, findings);
    std::stable_sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) {
        return std::pair(is_fault(a.advice), a.gain) > std::pair(is_fault(b.advice), b.gain);
    });
    return findings;
}

} // namespace loomp::analysis
