#include "profiler/build/nested_regions.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace loomp::analysis {

namespace {

struct Region {
    Index met = kNone; ///< its construct, of the thread whose task has met it
    std::vector<Index> members;
};

/// The end of the wait that begins when `task` leaves its thread for a region.
Time end_of_wait(const Trace &trace, Index task, const Construct &region) {
    const auto segments = trace.segments_of(task);
    const auto after =
        std::lower_bound(segments.begin(), segments.end(), region.end,
                         [](const Segment &segment, Time time) { return segment.begin < time; });
    return after == segments.end() ? region.end : after->begin;
}

} // namespace

void find_nested_regions(Trace &trace) {
    for (Index i = 0; i < trace.tasks.size(); ++i)
        trace.tasks[i].owner = trace.tasks[i].implicit ? kNone : i;
    std::map<std::pair<Index, std::uint64_t>, Region> regions;
    for (Index i = 0; i < trace.constructs.size(); ++i) {
        const Construct &construct = trace.constructs[i];
        if (construct.what != ConstructKind::parallel || construct.region == 0)
            continue;
        const Task &task = trace.tasks[construct.task];
        Region &region = regions[{task.rank, construct.region}];
        region.members.push_back(construct.task);
        // An implicit task whose beginning is not in the trace seems to begin elsewhere.
        if (task.parent != kNone && task.created == construct.begin)
            region.met = i;
    }
    std::vector<const Region *> met;
    for (const auto &[name, region] : regions)
        if (region.met != kNone)
            met.push_back(&region);
    // An outer region comes before those in it.
    std::stable_sort(met.begin(), met.end(), [&](const Region *a, const Region *b) {
        return trace.constructs[a->met].begin < trace.constructs[b->met].begin;
    });
    const std::size_t waits = trace.waits.size();
    for (const Region *region : met) {
        const Construct &construct = trace.constructs[region->met];
        const Task first = trace.tasks[construct.task];
        const Task &parent = trace.tasks[first.parent];
        if (!parent.works())
            continue;
        for (const Index index : region->members) {
            Task &member = trace.tasks[index];
            member.created = first.created;
            member.creator = first.creator;
            member.parent = first.parent;
            member.owner = parent.owner;
            member.kind = trace.tasks[parent.owner].kind;
        }
        trace.waits.push_back({construct.begin, end_of_wait(trace, first.parent, construct),
                               first.parent, construct.thread, WaitFor::region, construct.kind});
    }
    if (trace.waits.size() > waits)
        std::stable_sort(trace.waits.begin(), trace.waits.end(), [](const Wait &a, const Wait &b) {
            return std::tie(a.task, a.begin) < std::tie(b.task, b.begin);
        });
}

} // namespace loomp::analysis
