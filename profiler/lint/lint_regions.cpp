// Findings about parallel regions, loops and serial code, for programs without tasks.
#include <algorithm>
#include <map>
#include <set>

#include "profiler/lint/lint.h"
#include "profiler/metrics/constructs.h"
#include "profiler/metrics/run_times.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis::linting {

namespace {

/// The rank of a region, and its number there.
using RegionName = std::pair<Index, std::uint64_t>;

RegionName name_of(const Trace &trace, const Construct &construct) {
    return {trace.threads[construct.thread].rank, construct.region};
}

/// The places where a thread's own work says nothing about balance.
std::set<Index> places_without_balance(const Trace &trace) {
    std::map<RegionName, Index> regions;
    for (const Construct &construct : trace.constructs)
        if (construct.what == ConstructKind::parallel)
            regions[name_of(trace, construct)] = construct.kind;
    std::set<Index> places;
    for (const Construct &construct : trace.constructs) {
        if (construct.what == ConstructKind::parallel)
            continue;
        if (construct.what == ConstructKind::single)
            places.insert(construct.kind); // one thread works, as the program wants it
        if (const auto region = regions.find(name_of(trace, construct)); region != regions.end())
            places.insert(region->second); // the construct divides its work
    }
    return places;
}

void find_imbalance(const Trace &trace, std::vector<Finding> &findings) {
    constexpr double kUneven = 0.05;
    const std::set<Index> places = places_without_balance(trace);
    for (const ConstructRow &row : construct_table(trace))
        if (!row.barrier && row.threads > 1 && row.imbalance_share() >= kUneven &&
            !places.contains(row.kind))
            findings.push_back(
                {.advice = Advice::imbalance,
                 .kind = row.kind,
                 .count = row.count,
                 .cause = row.longest,
                 .gain = static_cast<double>(row.imbalance) / static_cast<double>(trace.ranks)});
}

/// One execution of a region. The barriers of its team divide it into phases.
struct Region {
    Index kind = kNone;
    Interval time{kNever, 0};
    std::size_t members = 0;
    std::vector<Time> phases; ///< for each, the longest time that a member does not wait in it

    /// The time to start the members and to leave the barriers: there nobody does anything.
    Time cost() const {
        Time rest = time.length();
        for (const Time phase : phases)
            rest -= phase;
        return std::max<Time>(rest, 0);
    }
};

/// `waits` are the member's task's.
void add_member(Region &region, const Construct &member, std::span<const Wait> waits) {
    region.kind = member.kind;
    region.time = {std::min(region.time.begin, member.begin),
                   std::max(region.time.end, member.end)};
    ++region.members;
    std::size_t phase = 0;
    Time from = member.begin;
    const auto end_phase = [&](Time end) {
        region.phases.resize(std::max(region.phases.size(), phase + 1), 0);
        region.phases[phase] = std::max(region.phases[phase], end - from);
        ++phase;
    };
    const auto first =
        std::lower_bound(waits.begin(), waits.end(), member.begin,
                         [](const Wait &wait, Time begin) { return wait.begin < begin; });
    for (auto wait = first; wait != waits.end() && wait->begin < member.end; ++wait) {
        if (wait->what != WaitFor::team)
            continue;
        end_phase(wait->begin);
        from = std::min(wait->end, member.end);
    }
    end_phase(member.end);
}

std::map<RegionName, Region> regions_of(const Trace &trace) {
    std::vector<std::span<const Wait>> waits(trace.tasks.size());
    for (auto first = trace.waits.begin(); first != trace.waits.end();) {
        const auto last = std::find_if(first, trace.waits.end(),
                                       [&](const Wait &wait) { return wait.task != first->task; });
        waits[first->task] = {first, last};
        first = last;
    }
    std::map<RegionName, Region> regions;
    for (const Construct &construct : trace.constructs)
        if (construct.what == ConstructKind::parallel && construct.region != 0)
            add_member(regions[name_of(trace, construct)], construct, waits[construct.task]);
    return regions;
}

/// Finds places where regions with several threads take hardly more time than they cost.
void find_fine_regions(const Trace &trace, const LintOptions &options,
                       std::vector<Finding> &findings) {
    struct Sum {
        std::size_t count = 0;
        Time time = 0;
        Time cost = 0;
    };
    std::map<Index, Sum> places;
    for (const auto &[name, region] : regions_of(trace)) {
        if (region.members < 2)
            continue;
        Sum &sum = places[region.kind];
        ++sum.count;
        sum.time += region.time.length();
        sum.cost += region.cost();
    }
    for (const auto &[kind, sum] : places) {
        if (sum.count < 2 || static_cast<double>(sum.time - sum.cost) >=
                                 options.coarse * static_cast<double>(sum.cost))
            continue;
        const Time mean = sum.cost / static_cast<Time>(sum.count);
        findings.push_back(
            {.advice = mean > options.longest_start ? Advice::late_threads : Advice::fine_regions,
             .kind = kind,
             .count = sum.count,
             .cause = mean,
             .gain = static_cast<double>(sum.cost) / static_cast<double>(trace.ranks)});
    }
}

/// Finds ranks whose other threads wait during serial code. A thread that nothing is known of does
/// not count while others are in regions: it may wait for them.
void find_serial_code(const Trace &trace, std::vector<Finding> &findings) {
    constexpr double kMuch = 0.1; // a share of the run
    std::vector<std::vector<Interval>> serial(trace.ranks);
    std::vector<std::vector<Interval>> parallel(trace.ranks);
    visit_doings(trace, TasksToo::yes, [&](Index thread, const Doings &doing) {
        if (doing.what != Doing::mpi)
            add_to((doing.what == Doing::serial ? serial : parallel)[trace.threads[thread].rank],
                   doing.time);
    });
    const std::vector<std::size_t> threads = trace.count_threads_of_ranks();
    const Interval run = trace.run();
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        const auto alone = unite(std::move(serial[rank]));
        const Time time =
            length_within(alone, run) - common_length(alone, unite(std::move(parallel[rank])), run);
        if (threads[rank] > 1 &&
            static_cast<double>(time) >= kMuch * static_cast<double>(run.length()))
            findings.push_back(
                {.advice = Advice::serial_code,
                 .rank = rank,
                 .count = threads[rank] - 1,
                 .cause = time,
                 .gain = static_cast<double>(time) * (1 - 1 / static_cast<double>(threads[rank]))});
    }
}

} // namespace

void find_region_faults(const Trace &trace, const LintOptions &options,
                        std::vector<Finding> &findings) {
    if (trace.has_tasks())
        return;
    find_imbalance(trace, findings);
    find_fine_regions(trace, options, findings);
    find_serial_code(trace, findings);
}

} // namespace loomp::analysis::linting
