#include "profiler/simulation/kind_code.h"

#include <algorithm>
#include <cmath>

#include "profiler/trace/code.h"
#include "profiler/trace/cpu_clock.h"

namespace loomp::analysis {

std::vector<KindCode> code_by_kind(const Trace &trace) {
    std::vector<KindCode> kinds(trace.kinds.size() + 1);
    const auto kind_of = [&](Index task) -> KindCode & {
        return kinds[std::min<std::size_t>(trace.tasks[task].kind, trace.kinds.size())];
    };
    for (Index task = 0; task < trace.tasks.size(); ++task)
        if (!trace.tasks[task].implicit && !trace.segments_of(task).empty())
            ++kind_of(task).tasks;
    for (const Stretch &stretch : code_of(trace))
        if (trace.tasks[stretch.task].works())
            kind_of(stretch.task).time +=
                static_cast<double>(cpu_time(trace, stretch.thread, {stretch.begin, stretch.end}));
    return kinds;
}

KindNames names_of_kinds(const Trace &trace, const std::vector<KindCode> &kinds) {
    KindNames names;
    for (std::size_t i = 0; i < trace.kinds.size(); ++i)
        if (kinds[i].tasks > 0)
            names.emplace(std::pair(trace.kinds[i].label, trace.kinds[i].source), i);
    return names;
}

std::optional<CodeFactors> learn_code(const Trace &trace, const Trace &other) {
    const std::vector<KindCode> mine = code_by_kind(trace);
    const std::vector<KindCode> others = code_by_kind(other);
    const KindNames names = names_of_kinds(other, others);
    CodeFactors found{std::vector<double>(trace.kinds.size() + 1, -1), 1};
    double here = 0;
    double there = 0;
    for (std::size_t i = 0; i < trace.kinds.size(); ++i) {
        const auto same = names.find(std::pair(trace.kinds[i].label, trace.kinds[i].source));
        if (same == names.end() || mine[i].time <= 0 || others[same->second].time <= 0)
            continue;
        found.of_kinds[i] = others[same->second].mean() / mine[i].mean();
        here += mine[i].time;
        there += found.of_kinds[i] * mine[i].time;
    }
    if (here <= 0)
        return {};
    found.of_all = there / here;
    std::replace(found.of_kinds.begin(), found.of_kinds.end(), -1.0, found.of_all);
    return found;
}

Program with_code(const Trace &trace, Program program, const CodeFactors &factors) {
    for (Index activity = 0; activity < program.rank.size(); ++activity) {
        const double factor = activity < program.tasks
                                  ? factors.of_kinds[std::min<std::size_t>(
                                        trace.tasks[activity].kind, trace.kinds.size())]
                                  : factors.of_all;
        for (Index i = program.first_step[activity]; i < program.first_step[activity + 1]; ++i)
            if (Step &step = program.steps[i]; step.kind == Step::code && step.what == kNone)
                step.duration = std::llround(static_cast<double>(step.duration) * factor);
    }
    return program;
}

} // namespace loomp::analysis
