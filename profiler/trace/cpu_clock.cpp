#include "profiler/trace/cpu_clock.h"

#include <algorithm>
#include <iterator>

namespace loomp::analysis {

namespace {

/// The clock at some time, which may be outside the readings' range.
Time at(const std::vector<CpuReading> &readings, Time time) {
    const auto after =
        std::upper_bound(readings.begin(), readings.end(), time,
                         [](Time t, const CpuReading &reading) { return t < reading.time; });
    if (after == readings.begin())
        return after->cpu - (after->time - time);
    const CpuReading &before = *std::prev(after);
    if (after == readings.end() || after->time == before.time)
        return before.cpu + (time - before.time);
    return before.cpu + static_cast<Time>(static_cast<__int128>(after->cpu - before.cpu) *
                                          (time - before.time) / (after->time - before.time));
}

} // namespace

Time cpu_time(const Trace &trace, Index thread, Interval interval) {
    if (interval.end <= interval.begin)
        return 0;
    if (!has_cpu_clocks(trace) || trace.cpu_clocks[thread].empty())
        return interval.length();
    const std::vector<CpuReading> &readings = trace.cpu_clocks[thread];
    return std::max<Time>(0, at(readings, interval.end) - at(readings, interval.begin));
}

} // namespace loomp::analysis
