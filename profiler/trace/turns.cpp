#include "profiler/trace/turns.h"

#include <algorithm>
#include <tuple>

namespace loomp::analysis {

std::vector<Dependence> turns_of(const Trace &trace) {
    std::vector<Exclusion> ran;
    for (const Exclusion &exclusion : trace.exclusions)
        if (!trace.segments_of(exclusion.task).empty())
            ran.push_back(exclusion);
    const auto begin = [&](const Exclusion &exclusion) {
        return trace.segments_of(exclusion.task).front().begin;
    };
    std::sort(ran.begin(), ran.end(), [&](const Exclusion &a, const Exclusion &b) {
        return std::tuple(a.mutex, begin(a), a.task) < std::tuple(b.mutex, begin(b), b.task);
    });
    std::vector<Dependence> turns;
    for (std::size_t i = 1; i < ran.size(); ++i)
        if (ran[i].mutex == ran[i - 1].mutex && trace.tasks[ran[i - 1].task].ended <= begin(ran[i]))
            turns.push_back({ran[i - 1].task, ran[i].task});
    return turns;
}

} // namespace loomp::analysis
