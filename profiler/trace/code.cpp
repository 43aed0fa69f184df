#include "profiler/trace/code.h"

namespace loomp::analysis {

std::vector<Stretch> code_of(const Trace &trace) {
    std::vector<Stretch> code;
    code.reserve(trace.segments.size() + trace.calls.size());
    for (Index task = 0; task < trace.tasks.size(); ++task)
        visit_code(trace, task, [&](const Stretch &stretch) { code.push_back(stretch); });
    return code;
}

} // namespace loomp::analysis
