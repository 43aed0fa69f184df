#include "profiler/metrics/constructs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profiler/trace/calls.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

using Set = std::vector<Interval>;

/// One execution of a construct by a team.
struct Instance {
    Index kind = kNone;
    Interval time{kNever, 0};
    std::vector<Time> work; ///< one per member
    Time waiting = 0;
};

/// `waiting`: when each thread waits in barriers without running tasks. `all`: these times and its
/// MPI calls.
struct Lost {
    std::vector<Set> waiting;
    std::vector<Set> all;
};

Lost lost_by_threads(const Trace &trace) {
    Lost lost{std::vector<Set>(trace.threads.size()), std::vector<Set>(trace.threads.size())};
    std::vector<Set> tasks(trace.threads.size());
    for (const Segment &of : trace.segments)
        if (!trace.tasks[of.task].implicit)
            tasks[of.thread].push_back({of.begin, of.end});
    for (const Wait &of : trace.waits)
        if (trace.tasks[of.task].implicit && of.what == WaitFor::team)
            lost.waiting[of.thread].push_back({of.begin, of.end});
    for (Index task = 0; task < trace.tasks.size(); ++task)
        visit_calls(trace, task, [&](const Call &, const Segment &segment, Interval part) {
            lost.all[segment.thread].push_back(part);
        });
    for (Index thread = 0; thread < trace.threads.size(); ++thread) {
        Set between; // tasks
        Time from = std::numeric_limits<Time>::min();
        for (const Interval &of : unite(std::move(tasks[thread]))) {
            between.push_back({from, of.begin});
            from = of.end;
        }
        between.push_back({from, kNever});
        lost.waiting[thread] = common(unite(std::move(lost.waiting[thread])), between);
        lost.all[thread] = unite(lost.waiting[thread], std::move(lost.all[thread]));
    }
    return lost;
}

/// The members of a team execute their worksharing constructs in one order.
std::vector<Instance> instances_of(const Trace &trace, const Lost &lost,
                                   std::optional<Interval> window) {
    using Key = std::tuple<Index, std::uint64_t, Index, std::size_t>;
    std::map<Key, Index> numbers;
    std::map<std::pair<Index, Index>, std::size_t> encounters; // of an implicit task
    std::vector<Instance> instances;
    for (const Construct &of : trace.constructs) {
        if (window && !window->contains(of.begin))
            continue;
        const std::size_t encounter = encounters[{of.task, of.kind}]++;
        const Index rank = trace.threads[of.thread].rank;
        const auto [place, added] =
            numbers.try_emplace(Key(rank, of.region, of.kind, encounter), 0);
        if (added || of.region == 0) {
            place->second = static_cast<Index>(instances.size());
            instances.emplace_back().kind = of.kind;
        }
        Instance &instance = instances[place->second];
        const Interval time{of.begin, of.end};
        instance.time = {std::min(instance.time.begin, of.begin),
                         std::max(instance.time.end, of.end)};
        instance.work.push_back(time.length() - length_within(lost.all[of.thread], time));
        instance.waiting += length_within(lost.waiting[of.thread], time);
    }
    return instances;
}

} // namespace

double ConstructRow::imbalance_share() const {
    return longest == 0 ? 0 : static_cast<double>(imbalance) / static_cast<double>(longest);
}

std::vector<ConstructRow> construct_table(const Trace &trace, std::optional<Interval> window) {
    const Lost lost = lost_by_threads(trace);
    std::map<Index, ConstructRow> rows;
    for (const Instance &of : instances_of(trace, lost, window)) {
        ConstructRow &row = rows[of.kind];
        row.kind = of.kind;
        ++row.count;
        row.threads = std::max(row.threads, of.work.size());
        row.time += of.time.length();
        row.waiting += of.waiting;
        Time sum = 0;
        Time longest = 0;
        for (const Time work : of.work) {
            sum += work;
            longest = std::max(longest, work);
        }
        row.work += sum;
        row.longest += longest;
        row.imbalance += longest - sum / static_cast<Time>(of.work.size());
    }
    // A rank's team passes a barrier as often as the thread that passes it most often.
    struct Passed {
        std::map<Index, std::size_t> by_thread;
        std::size_t most = 0;
    };
    std::map<std::pair<Index, Index>, Passed> passed; // by barrier and rank
    for (const Wait &of : trace.waits) {
        const bool counts = of.what == WaitFor::team && of.kind != kNone &&
                            trace.tasks[of.task].implicit &&
                            (!window || window->contains(of.begin));
        if (!counts)
            continue;
        ConstructRow &row = rows[of.kind];
        row.kind = of.kind;
        row.barrier = true;
        const Time waiting = length_within(lost.waiting[of.thread], {of.begin, of.end});
        row.waiting += waiting;
        row.time += waiting;
        Passed &team = passed[{of.kind, trace.threads[of.thread].rank}];
        const std::size_t count = ++team.by_thread[of.thread];
        row.threads = std::max(row.threads, team.by_thread.size());
        if (count > team.most) {
            team.most = count;
            ++row.count;
        }
    }
    std::vector<ConstructRow> sorted;
    sorted.reserve(rows.size());
    for (const auto &[kind, row] : rows)
        sorted.push_back(row);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const ConstructRow &a, const ConstructRow &b) { return a.time > b.time; });
    return sorted;
}

} // namespace loomp::analysis
