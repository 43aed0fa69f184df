#include "profiler/commands/findings.h"

#include <fmt/core.h>

#include "profiler/commands/figure_text.h"

namespace loomp::cli {

using namespace analysis;

namespace {

constexpr double kMatters = 0.001; ///< share of the makespan
constexpr const char *kNoTask = "(no task)";

/// Calls may be outside of tasks; otherwise the trace lacks the task's creation.
std::string subject_of(const Trace &trace, const Finding &finding) {
    const bool of_calls =
        finding.advice == Advice::late_receives || finding.advice == Advice::late_sends;
    return finding.kind == kNone && !of_calls ? "(tasks whose creation is not recorded)"
                                              : in_line(label_of(trace, finding.kind, kNoTask));
}

} // namespace

bool matters(const Finding &finding, Time makespan) {
    return is_fault(finding.advice) || finding.gain >= kMatters * static_cast<double>(makespan);
}

const char *title_of(const Finding &finding) {
    switch (finding.advice) {
    case Advice::redundant_edges:
        return "Dependences that follow from others";
    case Advice::duplicate_items:
        return "Locations named twice";
    case Advice::inoutset:
        return "Writers in a row";
    case Advice::discovery:
        return "Tasks are not created fast enough";
    case Advice::late_receives:
        return "Late receives";
    case Advice::late_sends:
        return "Late sends";
    case Advice::fine_tasks:
        return "Tasks too fine";
    case Advice::pageable_copies:
        return "Copies from and to memory that is not pinned";
    case Advice::serial_device:
        return "A device does one thing at a time";
    case Advice::short_kernels:
        return "Kernels too short";
    case Advice::imbalance:
        return "Threads with unequal work";
    case Advice::fine_regions:
        return "Regions too fine";
    case Advice::late_threads:
        return "Threads without processors";
    case Advice::serial_code:
        return "Serial code";
    case Advice::unordered_sends:
    case Advice::unordered_receives:
        return "Messages whose order is not given";
    }
    return "";
}

std::string place_of(const Trace &trace, const Finding &finding) {
    if (finding.rank == kNone)
        return subject_of(trace, finding);
    return trace.ranks == 1 ? "the program" : fmt::format("rank {}", finding.rank);
}

std::string text_of(const Trace &trace, const Finding &finding) {
    const std::string kind = in_line(label_of(trace, finding.kind, kNoTask));
    const std::string other = in_line(label_of(trace, finding.other, kNoTask));
    switch (finding.advice) {
    case Advice::redundant_edges:
        return fmt::format("{} dependences on {} follow from others: items that only make them "
                           "can go, {:.3f} us each",
                           finding.count, other, us(finding.cause));
    case Advice::duplicate_items:
        return fmt::format("{} items of depend clauses name a location a second time: leave "
                           "them out, {:.3f} us each",
                           finding.count, us(finding.cause));
    case Advice::inoutset:
        return fmt::format("{} tasks write in turn what nobody reads in between: if they may "
                           "run side by side, depend(inoutset); if in any order, mutexinoutset",
                           finding.count);
    case Advice::discovery:
        return fmt::format("threads are idle while {} tasks, most of them {}, are created "
                           "in {:.6f} s: {}",
                           finding.count, kind, s(finding.cause),
                           finding.computes
                               ? "most of it is other code of the creator: make that code tasks, "
                                 "or move it out from between the creations"
                               : "coarser tasks, fewer items, more creators, or a persistent "
                                 "graph (loomp.h)");
    case Advice::late_receives:
        return fmt::format("{} message{} from {} had come before the receive was started, "
                           "{:.6f} s in sum: start it earlier",
                           finding.count, finding.count == 1 ? "" : "s", other, s(finding.cause));
    case Advice::late_sends:
        return fmt::format("{} {} after {} waits for {}, {:.6f} s in sum: {}", finding.count,
                           finding.count == 1 ? "send begins" : "sends begin", other,
                           finding.count == 1 ? "it" : "them", s(finding.cause),
                           finding.kind == kNone
                               ? "they are outside tasks, so priorities do not help: send "
                                 "earlier, or divide the code before them among the threads"
                               : "let what leads to them run first (priority, "
                                 "LOOMP_PRIORITY_PRESET=FA)");
    case Advice::fine_tasks:
        return fmt::format("{} tasks are not much longer than the {:.3f} us that each costs{}: "
                           "merge them (grainsize, loomp_task_kind())",
                           finding.count, us(finding.cause), finding.computes ? " at most" : "");
    case Advice::pageable_copies:
        return fmt::format("{} copies held up who asked for them, {:.6f} s in sum: pin that memory "
                           "(llvm_omp_target_alloc_host(), an allocator with the trait pinned), or "
                           "map it once",
                           finding.count, s(finding.cause));
    case Advice::serial_device:
        return fmt::format("{} of these came to the device when what it did before was done, and "
                           "did not depend on it, {:.6f} s in sum: target nowait in tasks of their "
                           "own, or a greater LOOMP_DEVICE_OPERATIONS",
                           finding.count, s(finding.cause));
    case Advice::short_kernels:
        return fmt::format("{} kernels are not longer than the {:.3f} us that it takes to ask for "
                           "one and find it done: let one target task do more",
                           finding.count, us(finding.cause));
    case Advice::imbalance:
        return fmt::format("in {} execution{}, the thread with most work has {:.6f} s, and the "
                           "average is {:.6f} s: {}",
                           finding.count, finding.count == 1 ? "" : "s", s(finding.cause),
                           s(static_cast<double>(finding.cause) - finding.gain * trace.ranks),
                           kind.starts_with("sections ")
                               ? "equal sections, or more of them"
                               : "another schedule (dynamic, guided), or equal parts");
    case Advice::fine_regions:
    case Advice::late_threads:
        return fmt::format("{} executions on several threads, and each takes {:.1f} us to start "
                           "its threads and to leave its barriers: {}",
                           finding.count, us(finding.cause),
                           finding.advice == Advice::fine_regions
                               ? "let one region do more (several loops), or use fewer threads "
                                 "there"
                               : "threads with processors of their own take far less; run it "
                                 "without other programs, or with fewer threads");
    case Advice::serial_code:
        return fmt::format("{:.6f} s outside parallel regions, where {} more thread{} could work: "
                           "make this code parallel",
                           s(finding.cause), finding.count, finding.count == 1 ? "" : "s");
    case Advice::unordered_sends:
    case Advice::unordered_receives: {
        const Request &example = trace.requests[finding.request];
        const bool sends = finding.advice == Advice::unordered_sends;
        return fmt::format(
            "{} pair{} of {} with one peer, tag and communicator have no order{}, for example rank "
            "{} {} rank {}, tag {}: messages may change places. Give each step its own tag, or "
            "order the tasks by a dependence (docs/mpi.md)",
            finding.count, finding.count == 1 ? "" : "s", sends ? "sends" : "receives",
            finding.other == finding.kind ? "" : ", the other one in " + other, example.rank,
            sends ? "to" : "from", example.peer, example.tag);
    }
    }
    return {};
}

} // namespace loomp::cli
