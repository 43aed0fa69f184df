#include "profiler/commands/deadlock.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <utility>

#include "profiler/commands/figure_text.h"

namespace loomp::cli {

namespace {

using namespace analysis;

class Deadlock {
  public:
    Deadlock(const Trace &trace, const Program &program, const Simulation &found)
        : trace_(trace), program_(program), found_(found) {
        for (const HeldThread &held : found.held)
            if (held.activity < program.tasks)
                holds_[held.activity] = held.request;
    }

    std::string line_of(const HeldThread &held) const {
        const Request &request = trace_.requests[held.request];
        std::string line = fmt::format("rank {}: {}", request.rank,
                                       call_of(request.completion_call, held.activity));
        if (const Index collective = program_.transport.collective[held.request];
            collective != kNone) {
            std::string others;
            for (const Index other : trace_.collectives[collective])
                if (!begun(other))
                    others += fmt::format("{}rank {}{}", others.empty() ? "" : "; ",
                                          trace_.requests[other].rank, caller_of(other));
            return line + " waits for " + (others.empty() ? "its end" : others);
        }
        if (request.peer != kNone)
            line += fmt::format(" waits for rank {}", request.peer);
        const Index peer = program_.transport.peer[held.request];
        return peer == kNone ? line : line + caller_of(peer);
    }

  private:
    std::string task_label(Index task) const {
        const Index kind = trace_.tasks[task].kind;
        return kind == kNone ? "a task" : in_line(trace_.kinds[kind].label);
    }

    std::string call_of(Index call, Index activity) const {
        const Index function = call == kNone ? kNone : trace_.calls[call].function;
        const std::string name =
            function == kNone ? "a call" : in_line(trace_.kinds[function].label);
        return activity < program_.tasks ? name + " in " + task_label(activity)
                                         : name + " outside of tasks";
    }

    bool begun(Index request) const {
        const Index call = trace_.requests[request].start_call;
        return call != kNone && trace_.tasks[trace_.calls[call].task].works() &&
               found_.tasks[trace_.calls[call].task].begin != kNever;
    }

    /// The matching call of the other side, and why it is not made or does not end.
    std::string caller_of(Index request) const {
        const Index call = trace_.requests[request].start_call;
        if (call == kNone)
            return {};
        const Index task = trace_.calls[call].task;
        if (!trace_.tasks[task].works())
            return ", " + call_of(call, program_.tasks);
        const auto held = holds_.find(task);
        const char *why = held != holds_.end()                 ? "which waits itself"
                          : found_.tasks[task].begin != kNever ? "which waits for other tasks"
                                                               : "which gets no thread";
        return fmt::format(", {}, {}", call_of(call, task), why);
    }

    const Trace &trace_;
    const Program &program_;
    const Simulation &found_;
    std::map<Index, Index> holds_; ///< request that a task's call waits for
};

} // namespace

std::vector<std::string> explain_deadlock(const Trace &trace, const Program &program,
                                          const Simulation &found, std::size_t most) {
    const Deadlock deadlock(trace, program, found);
    std::map<std::string, std::size_t> counts;
    for (const HeldThread &held : found.held)
        ++counts[deadlock.line_of(held)];
    std::vector<std::pair<std::string, std::size_t>> lines(counts.begin(), counts.end());
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto &a, const auto &b) { return a.second > b.second; });
    std::vector<std::string> result;
    std::size_t left = 0;
    for (const auto &[line, count] : lines) {
        if (result.size() < most)
            result.push_back(count == 1 ? line : fmt::format("{} ({} threads)", line, count));
        else
            left += count;
    }
    if (left > 0)
        result.push_back(fmt::format("and {} threads more", left));
    return result;
}

} // namespace loomp::cli
