// Findings about messages.
#include <algorithm>
#include <map>

#include "profiler/lint/lint.h"
#include "profiler/metrics/breakdown.h"
#include "profiler/trace/calls.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis::linting {

namespace {

using Set = std::vector<Interval>;

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

    void find(const Program &program, std::vector<Finding> &findings) {
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
            if (trace_.threads[thread].rank != rank || trace_.threads[thread].stands_in)
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

void find_late_messages(const Trace &trace, const Program &program,
                        std::vector<Finding> &findings) {
    if (!trace.messages.empty())
        Finder(trace).find(program, findings);
}

} // namespace loomp::analysis::linting
