#include "cli/lint.h"

#include <exception>
#include <filesystem>
#include <fmt/core.h>

#include "analysis/archive.h"
#include "analysis/lint.h"
#include "cli/trace.h"

namespace loomp::cli {

namespace {

using namespace analysis;

constexpr int kFailure = 1;
constexpr double kMatters = 0.001; ///< of the makespan

double us(Time time) { return static_cast<double>(time) / 1e3; }
double s(Time time) { return seconds(static_cast<double>(time)); }

std::string label_of(const Trace &trace, Index kind) {
    return kind == kNone ? "(no task)" : trace.kinds[kind].label;
}

std::string text_of(const Trace &trace, const Finding &of) {
    const std::string kind = label_of(trace, of.kind);
    const std::string other = label_of(trace, of.other);
    switch (of.advice) {
    case Advice::redundant_edges:
        return fmt::format("{}: {} dependences on {} follow from others: items that only make them "
                           "can go, {:.3f} us each",
                           kind, of.count, other, us(of.cause));
    case Advice::duplicate_items:
        return fmt::format("{}: {} items of depend clauses name a location a second time: leave "
                           "them out, {:.3f} us each",
                           kind, of.count, us(of.cause));
    case Advice::inoutset:
        return fmt::format("{}: {} tasks write in turn what nobody reads in between: if they may "
                           "run side by side, depend(inoutset); if in any order, mutexinoutset",
                           kind, of.count);
    case Advice::discovery:
        return fmt::format("rank {}: threads are idle while {} tasks, most of them {}, are created "
                           "in {:.6f} s: coarser tasks, fewer items, more creators, "
                           "LOOMP_PERSISTENT",
                           of.rank, of.count, kind, s(of.cause));
    case Advice::late_receives:
        return fmt::format("{}: {} messages from {} had come before their receives were started, "
                           "{:.6f} s in sum: start these earlier",
                           kind, of.count, other, s(of.cause));
    case Advice::late_sends:
        return fmt::format("{}: {} sends begin after {} waits for them, {:.6f} s in sum: let what "
                           "leads to them run first (priority, LOOMP_PRIORITY_PRESET=FA)",
                           kind, of.count, other, s(of.cause));
    case Advice::fine_tasks:
        return fmt::format("{}: {} tasks are not much longer than the {:.3f} us that each costs: "
                           "merge them (grainsize, loomp_task_kind())",
                           kind, of.count, us(of.cause));
    }
    return {};
}

void print(const Trace &trace, const LintOptions &options) {
    const Time makespan = trace.makespan().length();
    const auto findings = analysis::lint(trace);
    std::size_t left = 0;
    fmt::print("makespan {:.6f} s\n\n{:>12}  {}\n", s(makespan), "gain, s", "at most, by itself");
    for (const Finding &of : findings) {
        if (options.all || of.gain >= kMatters * static_cast<double>(makespan))
            fmt::print("{:>12.6f}  {}\n", seconds(of.gain), text_of(trace, of));
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
    const std::filesystem::path archive = find_archive("lint", options.folder);
    if (archive.empty())
        return kFailure;
    try {
        const Trace trace = read_archive(archive, {.accesses = true});
        for (const std::string &problem : trace.problems)
            fmt::print(stderr, "loomp: lint: {}\n", problem);
        print(trace, options);
    } catch (const std::exception &problem) {
        fmt::print(stderr, "loomp: lint: {}\n", problem.what());
        return kFailure;
    }
    return 0;
}

} // namespace loomp::cli
