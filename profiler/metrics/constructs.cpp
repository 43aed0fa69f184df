#include "profiler/metrics/constructs.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "profiler/trace/calls.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

using Set = std::vector<Interval>;

/// The label of a barrier at the end of a region or loop whose place is unknown.
constexpr std::string_view kBarrier = "implicit barrier";

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
    for (const Segment &segment : trace.segments)
        if (trace.tasks[segment.task].works())
            tasks[segment.thread].push_back({segment.begin, segment.end});
    for (const Wait &wait : trace.waits)
        if (trace.tasks[wait.task].implicit && wait.what == WaitFor::team)
            lost.waiting[wait.thread].push_back({wait.begin, wait.end});
    for (Index task = 0; task < trace.tasks.size(); ++task)
        visit_calls(trace, task, [&](const Call &, const Segment &segment, Interval part) {
            lost.all[segment.thread].push_back(part);
        });
    for (Index thread = 0; thread < trace.threads.size(); ++thread) {
        Set between; // tasks
        Time from = std::numeric_limits<Time>::min();
        for (const Interval &interval : unite(std::move(tasks[thread]))) {
            between.push_back({from, interval.begin});
            from = interval.end;
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
    for (const Construct &construct : trace.constructs) {
        if (window && !window->contains(construct.begin))
            continue;
        const std::size_t encounter = encounters[{construct.task, construct.kind}]++;
        const Index rank = trace.threads[construct.thread].rank;
        const auto [place, added] =
            numbers.try_emplace(Key(rank, construct.region, construct.kind, encounter), 0);
        if (added || construct.region == 0) {
            place->second = static_cast<Index>(instances.size());
            instances.emplace_back().kind = construct.kind;
        }
        Instance &instance = instances[place->second];
        const Interval time{construct.begin, construct.end};
        instance.time = {std::min(instance.time.begin, construct.begin),
                         std::max(instance.time.end, construct.end)};
        instance.work.push_back(time.length() - length_within(lost.all[construct.thread], time));
        instance.waiting += length_within(lost.waiting[construct.thread], time);
    }
    return instances;
}

/// The region of an implicit task; 0: unknown.
struct Membership {
    std::uint64_t region = 0;
    Index kind = kNone; ///< the region's
};

std::vector<Membership> memberships_of(const Trace &trace) {
    std::vector<Membership> members(trace.tasks.size());
    for (const Construct &construct : trace.constructs)
        if (construct.what == ConstructKind::parallel)
            members[construct.task] = {construct.region, construct.kind};
    return members;
}

/// For kinds of regions, the kind of the barrier at their end. Runtimes give its place to the
/// thread that met the region alone.
std::map<Index, Index> barriers_at_ends(const Trace &trace) {
    constexpr std::string_view kRegion = "parallel ";
    std::map<std::string_view, Index> kinds;
    for (Index kind = 0; kind < trace.kinds.size(); ++kind)
        kinds.emplace(trace.kinds[kind].label, kind);
    std::map<Index, Index> barriers;
    for (const auto &[label, kind] : kinds)
        if (label.starts_with(kRegion))
            if (const auto barrier = kinds.find(std::string(kBarrier) + " " +
                                                std::string(label.substr(kRegion.size())));
                barrier != kinds.end())
                barriers[kind] = barrier->second;
    return barriers;
}

/// A team passes a barrier as often as the member that passes it most often.
void count_barriers(const Trace &trace, const Lost &lost, std::optional<Interval> window,
                    std::map<Index, ConstructRow> &rows) {
    const std::vector<Membership> members = memberships_of(trace);
    const std::map<Index, Index> ends = barriers_at_ends(trace);
    // The barrier, the rank, the region, and the member: its task, or without a region its thread.
    using Passed = std::tuple<Index, Index, std::uint64_t, Index>;
    std::vector<Passed> passed;
    for (const Wait &wait : trace.waits) {
        const bool counts = wait.what == WaitFor::team && wait.kind != kNone &&
                            trace.tasks[wait.task].implicit &&
                            (!window || window->contains(wait.begin));
        if (!counts)
            continue;
        const Membership &member = members[wait.task];
        Index kind = wait.kind;
        if (trace.kinds[kind].label == kBarrier)
            if (const auto end = ends.find(member.kind); end != ends.end())
                kind = end->second;
        ConstructRow &row = rows[kind];
        row.kind = kind;
        row.barrier = true;
        row.waiting += length_within(lost.waiting[wait.thread], {wait.begin, wait.end});
        passed.emplace_back(kind, trace.threads[wait.thread].rank, member.region,
                            member.region != 0 ? wait.task : wait.thread);
    }
    std::sort(passed.begin(), passed.end());
    const auto team_of = [](const Passed &one) {
        return std::tuple(std::get<0>(one), std::get<1>(one), std::get<2>(one));
    };
    for (auto at = passed.begin(); at != passed.end();) {
        const auto team = team_of(*at);
        std::size_t threads = 0;
        std::size_t most = 0;
        while (at != passed.end() && team_of(*at) == team) {
            const auto first = at;
            while (at != passed.end() && *at == *first)
                ++at;
            ++threads;
            most = std::max(most, static_cast<std::size_t>(at - first));
        }
        ConstructRow &row = rows[std::get<0>(team)];
        row.count += most;
        row.threads = std::max(row.threads, threads);
        row.time = row.waiting / static_cast<Time>(row.threads);
    }
}

} // namespace

double ConstructRow::imbalance_share() const {
    return longest == 0 ? 0 : static_cast<double>(imbalance) / static_cast<double>(longest);
}

std::vector<ConstructRow> construct_table(const Trace &trace, std::optional<Interval> window) {
    const Lost lost = lost_by_threads(trace);
    std::map<Index, ConstructRow> rows;
    for (const Instance &instance : instances_of(trace, lost, window)) {
        ConstructRow &row = rows[instance.kind];
        row.kind = instance.kind;
        ++row.count;
        row.threads = std::max(row.threads, instance.work.size());
        row.time += instance.time.length();
        row.waiting += instance.waiting;
        Time sum = 0;
        Time longest = 0;
        for (const Time work : instance.work) {
            sum += work;
            longest = std::max(longest, work);
        }
        row.work += sum;
        row.longest += longest;
        row.imbalance += longest - sum / static_cast<Time>(instance.work.size());
    }
    count_barriers(trace, lost, window, rows);
    std::vector<ConstructRow> sorted;
    sorted.reserve(rows.size());
    for (const auto &[kind, row] : rows)
        sorted.push_back(row);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const ConstructRow &a, const ConstructRow &b) { return a.time > b.time; });
    return sorted;
}

} // namespace loomp::analysis
