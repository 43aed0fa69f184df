#include "profiler/simulation/meter.h"

#include <algorithm>

#include "profiler/trace/cpu_clock.h"

namespace loomp::analysis {

Time Meter::up_to(Time time) {
    Time sum = 0;
    while (next_ < stays_.size() && stays_[next_].time.begin < time) {
        const Interval &interval = stays_[next_].time;
        const Interval part{std::max(interval.begin, since_), std::min(interval.end, time)};
        sum += cpu_time(trace_, stays_[next_].thread, part);
        if (interval.end > time)
            break;
        ++next_;
    }
    since_ = std::max(since_, time);
    return sum;
}

} // namespace loomp::analysis
