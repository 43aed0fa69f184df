// Findings about messages.
#include <algorithm>
#include <map>

#include "profiler/lint/lint.h"
#include "profiler/simulation/program.h"
#include "profiler/trace/calls.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis::linting {

namespace {

using Set = std::vector<Interval>;

/// The parts of `window` that are not in `set`.
Set rest_of(const Set &set, Interval window) {
    Set rest;
    Time from = window.begin;
    for (const Interval &interval : set) {
        if (interval.begin > from)
            rest.push_back({from, std::min(interval.begin, window.end)});
        from = std::max(from, interval.end);
    }
    if (from < window.end)
        rest.push_back({from, window.end});
    return rest;
}

/// When each thread is idle: outside of tasks, while no task of its rank is ready.
std::vector<Set> idle_times(const Trace &trace, Interval window) {
    std::vector<Set> busy(trace.threads.size());
    std::vector<Set> ready(trace.ranks);
    for (const Segment &segment : trace.segments) {
        const Task &task = trace.tasks[segment.task];
        if (task.implicit)
            continue;
        busy[segment.thread].push_back({segment.begin, segment.end});
        if (segment.ready < segment.begin)
            ready[task.rank].push_back({segment.ready, segment.begin});
    }
    for (Set &set : ready)
        set = unite(std::move(set));
    for (Index thread = 0; thread < busy.size(); ++thread) {
        const Set &of_rank = ready[trace.threads[thread].rank];
        busy[thread].insert(busy[thread].end(), of_rank.begin(), of_rank.end());
        busy[thread] = rest_of(unite(std::move(busy[thread])), window);
    }
    return busy;
}

/// Late times of messages between two kinds of tasks, per receiving rank.
struct Lateness {
    std::size_t count = 0;
    Time time = 0;
    std::map<Index, Set> ranks; ///< by the receiver's
};

class Finder {
  public:
    explicit Finder(const Trace &trace)
        : trace_(trace), window_(trace.makespan()), idle_(idle_times(trace, window_)) {}

    void find(std::vector<Finding> &findings) {
        const Program program = make_program(trace_);
        std::map<Kinds, Lateness> receives;
        std::map<Kinds, Lateness> sends;
        for (const Message &message : trace_.messages) {
            const Request &send = trace_.requests[message.send];
            const Request &receive = trace_.requests[message.receive];
            if (send.started == kNever || receive.started == kNever)
                continue;
            const Index sender = kind_of(send.start_call);
            const Index receiver = kind_of(receive.start_call);
            const Time arrived = send.started + program.transport.of_size(send.bytes).time;
            if (receive.started > arrived)
                add(receives[{receiver, sender}], receive.rank, {arrived, receive.started});
            else if (send.started > receive.started)
                add(sends[{sender, receiver}], receive.rank, {receive.started, send.started});
        }
        report(Advice::late_receives, receives, findings);
        report(Advice::late_sends, sends, findings);
    }

  private:
    using Kinds = std::pair<Index, Index>;

    Index kind_of(Index call) const {
        return call == kNone ? kNone : trace_.tasks[trace_.calls[call].task].kind;
    }

    void add(Lateness &lateness, Index rank, Interval late) const {
        late = common(late, window_);
        if (late.end <= late.begin)
            return;
        ++lateness.count;
        lateness.time += late.length();
        lateness.ranks[rank].push_back(late);
    }

    void report(Advice advice, std::map<Kinds, Lateness> &found,
                std::vector<Finding> &findings) const {
        for (auto &[kinds, of] : found) {
            // The rank that gains most determines the gain, because the others wait for it.
            double gain = 0;
            for (auto &[rank, late] : of.ranks)
                gain = std::max(gain, idle_in(unite(std::move(late)), rank));
            if (gain > 0)
                findings.push_back({.advice = advice,
                                    .kind = kinds.first,
                                    .other = kinds.second,
                                    .count = of.count,
                                    .cause = of.time,
                                    .gain = gain});
        }
    }

    /// Average idle time of the rank's threads.
    double idle_in(const Set &late, Index rank) const {
        Time sum = 0;
        double threads = 0;
        for (Index thread = 0; thread < idle_.size(); ++thread) {
            if (trace_.threads[thread].rank != rank)
                continue;
            sum += common_length(idle_[thread], late, window_);
            ++threads;
        }
        return threads == 0 ? 0 : static_cast<double>(sum) / threads;
    }

    const Trace &trace_;
    const Interval window_;
    const std::vector<Set> idle_;
};

} // namespace

void find_late_messages(const Trace &trace, std::vector<Finding> &findings) {
    if (!trace.messages.empty())
        Finder(trace).find(findings);
}

} // namespace loomp::analysis::linting
