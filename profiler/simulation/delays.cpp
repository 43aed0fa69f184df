#include "profiler/simulation/delays.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "profiler/trace/cpu_clock.h"

namespace loomp::analysis {

namespace {

/// Checks with the CPU clock that the thread had a processor all the time.
bool kept_processor(Interval interval, Time cpu) {
    constexpr Time kReading = 3000; // ns: recording takes time on the wall clock
    return interval.length() - cpu <= kReading;
}

/// The task has got a mutex when the segment begins.
bool follows_mutex(const Trace &trace, const Segment &segment) {
    const auto wait =
        std::partition_point(trace.waits.begin(), trace.waits.end(), [&](const Wait &wait) {
            return std::pair(wait.task, wait.end) < std::pair(segment.task, segment.begin);
        });
    return wait != trace.waits.end() && wait->task == segment.task && wait->end == segment.begin &&
           wait->what == WaitFor::mutex;
}

Time low_quartile(std::vector<Time> &times) {
    const auto low = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 4);
    std::nth_element(times.begin(), low, times.end());
    return *low;
}

} // namespace

Delays measure_delays(const Trace &trace) {
    Delays found;
    std::vector<std::vector<Time>> created(trace.threads.size());
    for (const Task &task : trace.tasks)
        if (!task.implicit && task.created != kNever)
            created[task.creator].push_back(task.created);
    found.of_segments.assign(trace.segments.size(), kNever);
    std::vector<Time> undisturbed;
    Time sum = 0;
    Time count = 0;
    for (Index thread = 0; thread < created.size(); ++thread) {
        if (!std::is_sorted(created[thread].begin(), created[thread].end()))
            std::sort(created[thread].begin(), created[thread].end());
        const Segment *latest = nullptr;
        for (const Index i : trace.segments_on(thread)) {
            const Segment &after = trace.segments[i];
            if (!trace.tasks[after.task].works())
                continue;
            const Segment *const before = std::exchange(latest, &after);
            if (before == nullptr)
                continue;
            const auto creation =
                std::lower_bound(created[thread].begin(), created[thread].end(), before->begin);
            const bool creates = creation != created[thread].end() && *creation < after.begin;
            // A task enters and leaves its region without a scheduler, and keeps its thread while
            // it waits for a mutex.
            if (creates || (before->task == after.task && follows_mutex(trace, after)) ||
                trace.tasks[before->task].implicit || trace.tasks[after.task].implicit)
                continue;
            const Interval between{std::max(before->end, after.ready), after.begin};
            const Time delay = cpu_time(trace, thread, between);
            if (has_cpu_clocks(trace) && before->end >= after.ready &&
                kept_processor(between, delay))
                undisturbed.push_back(delay);
            found.of_segments[i] = delay;
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
