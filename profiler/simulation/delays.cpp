#include "profiler/simulation/delays.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "profiler/trace/cpu_clock.h"

namespace loomp::analysis {

namespace {

/// Checks with the CPU clock that the thread had a processor all the time.
bool kept_processor(Interval interval, Time cpu) {
    constexpr Time kReading = 3000; // ns: recording takes time on the wall clock
    return interval.length() - cpu <= kReading;
}

Time low_quartile(std::vector<Time> &times) {
    const auto low = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 4);
    std::nth_element(times.begin(), low, times.end());
    return *low;
}

} // namespace

Delays measure_delays(const Trace &trace) {
    Delays found;
    std::vector<std::vector<const Segment *>> threads(trace.threads.size());
    for (const Segment &segment : trace.segments)
        if (trace.tasks[segment.task].works())
            threads[segment.thread].push_back(&segment);
    std::vector<std::vector<Time>> created(trace.threads.size());
    for (const Task &task : trace.tasks)
        if (!task.implicit && task.created != kNever)
            created[task.creator].push_back(task.created);
    found.of_segments.assign(trace.segments.size(), kNever);
    std::vector<Time> undisturbed;
    Time sum = 0;
    Time count = 0;
    for (Index thread = 0; thread < threads.size(); ++thread) {
        std::sort(threads[thread].begin(), threads[thread].end(),
                  [](const Segment *a, const Segment *b) { return a->begin < b->begin; });
        std::sort(created[thread].begin(), created[thread].end());
        for (std::size_t i = 1; i < threads[thread].size(); ++i) {
            const Segment &before = *threads[thread][i - 1];
            const Segment &after = *threads[thread][i];
            const auto creation =
                std::lower_bound(created[thread].begin(), created[thread].end(), before.begin);
            const bool creates = creation != created[thread].end() && *creation < after.begin;
            // A task enters and leaves its region without a scheduler.
            if (creates || trace.tasks[before.task].implicit || trace.tasks[after.task].implicit)
                continue;
            const Interval between{std::max(before.end, after.ready), after.begin};
            const Time delay = cpu_time(trace, thread, between);
            if (before.end >= after.ready && kept_processor(between, delay))
                undisturbed.push_back(delay);
            found.of_segments[static_cast<std::size_t>(&after - trace.segments.data())] = delay;
            sum += delay;
            ++count;
        }
    }
    found.mean = count == 0 ? 0 : sum / count;
    if (has_cpu_clocks(trace) && count > 0) {
        // A thread that gave up its processor meanwhile found its caches changed, and polled longer
        // than otherwise.
        constexpr std::size_t kEnough = 100;
        if (undisturbed.size() < kEnough) {
            undisturbed.clear();
            std::copy_if(found.of_segments.begin(), found.of_segments.end(),
                         std::back_inserter(undisturbed),
                         [](Time delay) { return delay != kNever; });
        }
        found.mean = low_quartile(undisturbed);
        for (Time &delay : found.of_segments)
            delay = std::min(delay, found.mean);
    }
    for (Time &delay : found.of_segments)
        if (delay == kNever)
            delay = found.mean;
    return found;
}

} // namespace loomp::analysis
