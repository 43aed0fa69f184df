// `loomp lint`: finds faults and avoidable costs in a trace's program.
#include <fmt/core.h>

#include "profiler/commands/figure_text.h"
#include "profiler/commands/findings.h"
#include "profiler/commands/subcommand.h"
#include "profiler/commands/unfinished_text.h"
#include "profiler/commands/with_trace.h"
#include "profiler/lint/lint.h"
#include "profiler/metrics/figures.h"

namespace loomp::cli {

namespace {

using namespace analysis;

struct LintOptions {
    std::string folder; ///< folder of `loomp trace`, or an archive's .otf2 file
    bool all = false;   ///< also findings that hardly matter
};

void print(const Trace &trace, const LintOptions &options) {
    const Time makespan = whole_of(trace).length();
    const auto findings = analysis::lint(trace);
    std::size_t left = 0;
    bool lines_lack = false;
    print_unfinished(trace, unfinished_of(trace));
    fmt::print("{} {:.6f} s\n\n{:>12}  {}\n", trace.has_tasks() ? "makespan" : "run", s(makespan),
               "gain, s", "at most, by itself");
    for (const Finding &finding : findings) {
        if (!options.all && !matters(finding, makespan)) {
            ++left;
            continue;
        }
        const std::string place = place_of(trace, finding);
        lines_lack |= lacks_line(place);
        fmt::print("{:>12}  {}: {}\n",
                   is_fault(finding.advice) ? "fault"
                                            : fmt::format("{:.6f}", seconds(finding.gain)),
                   place, text_of(trace, finding));
    }
    if (left == findings.size())
        fmt::print("{:>12}  nothing that matters\n", "-");
    if (left > 0)
        fmt::print("and {} that hardly matter: --all\n", left);
    if (lines_lack)
        fmt::print("{}", kNoLines);
}

int lint(const LintOptions &options) {
    return with_trace("lint", options.folder, {.accesses = true}, [&](const Trace &trace) {
        print(trace, options);
        return 0;
    });
}

Action declare_lint(CLI::App &command) {
    const auto options = std::make_shared<LintOptions>();
    add_trace(command, options->folder);
    command.add_flag("--all", options->all,
                     "Show findings that would gain less than 0.1 % of the time above, too");
    return with_options(options, lint);
}

} // namespace

const Subcommand kLint = {"lint",
                          "List likely faults of the traced program, with the time that each costs",
                          declare_lint};

} // namespace loomp::cli
