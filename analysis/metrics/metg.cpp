#include "analysis/metrics/metg.h"

#include <algorithm>
#include <cmath>

#include "analysis/trace/code.h"

namespace loomp::analysis {

GrainPoint grain_point(const Trace &trace) {
    GrainPoint point{.threads = trace.count_threads(), .makespan = trace.makespan().length()};
    for (Index task = 0; task < trace.tasks.size(); ++task)
        if (!trace.tasks[task].implicit && !trace.segments_of(task).empty())
            ++point.tasks;
    Time code = 0;
    for (const Stretch &stretch : code_of(trace))
        if (trace.is_work(stretch.task, stretch.thread))
            code += stretch.end - stretch.begin;
    if (point.tasks == 0 || point.makespan == 0)
        return point;
    const auto work = static_cast<double>(code);
    point.grain = work / static_cast<double>(point.tasks);
    point.efficiency =
        work / (static_cast<double>(point.threads) * static_cast<double>(point.makespan));
    return point;
}

std::optional<Metg> metg(std::vector<GrainPoint> points, double efficiency) {
    std::erase_if(points, [](const GrainPoint &of) { return of.grain <= 0; });
    std::sort(points.begin(), points.end(),
              [](const GrainPoint &a, const GrainPoint &b) { return a.grain < b.grain; });
    const auto enough = std::find_if(points.begin(), points.end(), [&](const GrainPoint &of) {
        return of.efficiency >= efficiency;
    });
    if (enough == points.end())
        return std::nullopt;
    if (enough == points.begin())
        return Metg{enough->grain, true};
    const GrainPoint &below = *(enough - 1);
    const double way = (efficiency - below.efficiency) / (enough->efficiency - below.efficiency);
    return Metg{below.grain * std::pow(enough->grain / below.grain, way), false};
}

} // namespace loomp::analysis
