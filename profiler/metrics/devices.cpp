#include "profiler/metrics/devices.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

using Set = std::vector<Interval>;

/// When explicit tasks of each rank are on a thread.
std::vector<Set> work_of_ranks(const Trace &trace) {
    std::vector<Set> work(trace.ranks);
    for (const Segment &segment : trace.segments)
        if (trace.is_work(segment.task, segment.thread))
            work[trace.threads[segment.thread].rank].push_back({segment.begin, segment.end});
    for (Set &set : work)
        set = unite(std::move(set));
    return work;
}

struct InFlight {
    DeviceRow row;
    std::map<Index, Set> of_rows; ///< a set for each of the device's rows
};

void count(DeviceRow &row, const DeviceWork &work, Interval time) {
    switch (work.what) {
    case DeviceWorkKind::kernel:
        ++row.kernels;
        row.kernel_time += time.length();
        return;
    case DeviceWorkKind::copy_to:
        ++row.copies_to;
        row.bytes_to += work.bytes;
        break;
    case DeviceWorkKind::copy_from:
        ++row.copies_from;
        row.bytes_from += work.bytes;
        break;
    }
    row.copy_time += time.length();
    row.held += work.held;
}

/// Visits the work that began in the window, cut at the window's end.
template <typename Visit>
void visit_work(const Trace &trace, std::optional<Interval> window, Visit visit) {
    for (const DeviceWork &work : trace.device_work)
        if (!window || window->contains(work.begin))
            visit(work, Interval{work.begin, window ? std::min(work.end, window->end) : work.end});
}

} // namespace

std::vector<DeviceRow> device_table(const Trace &trace, std::optional<Interval> window) {
    if (trace.device_work.empty())
        return {};
    std::map<std::pair<Index, Index>, InFlight> devices;
    visit_work(trace, window, [&](const DeviceWork &work, Interval time) {
        InFlight &device = devices[{work.rank, work.device}];
        count(device.row, work, time);
        device.of_rows[work.row].push_back(time);
    });
    const std::vector<Set> work = work_of_ranks(trace);
    std::vector<DeviceRow> rows;
    for (auto &[place, device] : devices) {
        DeviceRow row = device.row;
        row.rank = place.first;
        row.device = place.second;
        Set busy;
        Set several;
        for (auto &[number, set] : device.of_rows) {
            const Set united = unite(std::move(set));
            several = unite(several, common(busy, united));
            busy = unite(busy, united);
        }
        for (const Interval &interval : busy)
            row.busy += interval.length();
        for (const Interval &interval : several)
            row.several += interval.length();
        for (const Interval &interval : common(busy, work[row.rank]))
            row.overlapped += interval.length();
        rows.push_back(row);
    }
    return rows;
}

std::vector<DeviceKindRow> device_kind_table(const Trace &trace, std::optional<Interval> window) {
    std::map<Index, std::pair<DeviceKindRow, std::vector<Time>>> kinds;
    visit_work(trace, window, [&](const DeviceWork &work, Interval time) {
        auto &[row, times] = kinds[work.kind];
        row.kind = work.kind;
        row.what = work.what;
        ++row.count;
        row.bytes += work.bytes;
        row.time += time.length();
        row.held += work.held;
        row.shortest = std::min(row.shortest, time.length());
        row.longest = std::max(row.longest, time.length());
        times.push_back(time.length());
    });
    std::vector<DeviceKindRow> rows;
    for (auto &[kind, of] : kinds) {
        auto &[row, times] = of;
        const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        row.median = *middle;
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const DeviceKindRow &a, const DeviceKindRow &b) {
        return a.time > b.time;
    });
    return rows;
}

} // namespace loomp::analysis
