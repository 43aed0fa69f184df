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
    for (const Segment &of : trace.segments)
        if (trace.is_work(of.task, of.thread))
            work[trace.threads[of.thread].rank].push_back({of.begin, of.end});
    for (Set &of : work)
        of = unite(std::move(of));
    return work;
}

struct InFlight {
    DeviceRow row;
    std::map<Index, Set> of_rows; ///< of each of the device's rows
};

void count(DeviceRow &row, const DeviceWork &of, Interval time) {
    switch (of.what) {
    case DeviceWorkKind::kernel:
        ++row.kernels;
        row.kernel_time += time.length();
        return;
    case DeviceWorkKind::copy_to:
        ++row.copies_to;
        row.bytes_to += of.bytes;
        break;
    case DeviceWorkKind::copy_from:
        ++row.copies_from;
        row.bytes_from += of.bytes;
        break;
    }
    row.copy_time += time.length();
    row.held += of.held;
}

/// Visits the work that began in the window, cut at the window's end.
template <typename Visit>
void visit_work(const Trace &trace, std::optional<Interval> window, Visit visit) {
    for (const DeviceWork &of : trace.device_work)
        if (!window || window->contains(of.begin))
            visit(of, Interval{of.begin, window ? std::min(of.end, window->end) : of.end});
}

} // namespace

std::vector<DeviceRow> device_table(const Trace &trace, std::optional<Interval> window) {
    if (trace.device_work.empty())
        return {};
    std::map<std::pair<Index, Index>, InFlight> devices;
    visit_work(trace, window, [&](const DeviceWork &of, Interval time) {
        InFlight &device = devices[{of.rank, of.device}];
        count(device.row, of, time);
        device.of_rows[of.row].push_back(time);
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
            const Set of = unite(std::move(set));
            several = unite(several, common(busy, of));
            busy = unite(busy, of);
        }
        for (const Interval &of : busy)
            row.busy += of.length();
        for (const Interval &of : several)
            row.several += of.length();
        for (const Interval &of : common(busy, work[row.rank]))
            row.overlapped += of.length();
        rows.push_back(row);
    }
    return rows;
}

std::vector<DeviceKindRow> device_kind_table(const Trace &trace, std::optional<Interval> window) {
    std::map<Index, std::pair<DeviceKindRow, std::vector<Time>>> kinds;
    visit_work(trace, window, [&](const DeviceWork &of, Interval time) {
        auto &[row, times] = kinds[of.kind];
        row.kind = of.kind;
        row.what = of.what;
        ++row.count;
        row.bytes += of.bytes;
        row.time += time.length();
        row.held += of.held;
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
