#include "cli/lint.h"

#include <fmt/core.h>

#include "analysis/lint/lint.h"
#include "cli/findings.h"
#include "cli/with_trace.h"

namespace loomp::cli {

namespace {

using namespace analysis;

double s(Time time) { return seconds(static_cast<double>(time)); }

void print(const Trace &trace, const LintOptions &options) {
    const Time makespan = trace.makespan().length();
    const auto findings = analysis::lint(trace);
    std::size_t left = 0;
    fmt::print("makespan {:.6f} s\n\n{:>12}  {}\n", s(makespan), "gain, s", "at most, by itself");
    for (const Finding &of : findings) {
        if (options.all || matters(of, makespan))
            fmt::print("{:>12.6f}  {}: {}\n", seconds(of.gain), place_of(trace, of),
                       text_of(trace, of));
        else
            ++left;
    }
    if (left == findings.size())
        fmt::print("{:>12}  nothing that matters\n", "-");
    if (left > 0)
        fmt::print("and {} that hardly matter: --all\n", left);
}

} // namespace

int lint(const LintOptions &options) {
    return with_trace("lint", options.folder, {.accesses = true}, [&](const Trace &trace) {
        print(trace, options);
        return 0;
    });
}

} // namespace loomp::cli
