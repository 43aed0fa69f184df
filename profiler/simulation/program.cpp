#include "profiler/simulation/program.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>
#include <utility>

#include "profiler/graph/mark.h"
#include "profiler/simulation/meter.h"
#include "profiler/trace/calls.h"
#include "profiler/trace/code.h"
#include "profiler/trace/cpu_clock.h"

namespace loomp::analysis {

namespace {

class Maker {
  public:
    explicit Maker(const Trace &trace) : trace_(trace) {}

    Program make() {
        program_.tasks = static_cast<Index>(trace_.tasks.size());
        program_.dependences = trace_.dependences;
        program_.transport = measure_transport(trace_);
        measure_calls();
        creations_ = creations_of(trace_, [](const Task &) { return true; });
        waits_ = waits_of_activities(trace_, [](const Wait &) { return true; });
        const std::vector<std::vector<Interval>> present = presence_of_threads(trace_);
        synchronisations_ = find_synchronisations(trace_, present);
        fulfilments_ = fulfilments_of_activities(trace_);
        first_fulfilment_ = static_cast<Index>(synchronisations_.all.size());
        for (Index i = 0; i < trace_.fulfilments.size(); ++i) {
            fulfilment_of_[trace_.fulfilments[i].task] = first_fulfilment_ + i;
            synchronisations_.all.push_back({.missing = 1});
        }
        // Growing would take up to three times the memory; what is not used is never touched.
        program_.steps.reserve(2 * trace_.tasks.size() + 2 * trace_.segments.size() +
                               2 * trace_.waits.size() + 3 * trace_.calls.size() +
                               trace_.changes.size() + 2 * trace_.holdings.size());
        sort_holdings();
        for (Index task = 0; task < program_.tasks; ++task)
            add_task(task);
        add_threads(present);
        program_.first_step.push_back(static_cast<Index>(program_.steps.size()));
        program_.delays = measure_delays(trace_);
        program_.synchronisations = std::move(synchronisations_.all);
        program_.child_of = std::move(synchronisations_.child_of);
        program_.member_of = std::move(synchronisations_.member_of);
        program_.group_of = std::move(synchronisations_.group_of);
        return std::move(program_);
    }

  private:
    /// The calls of a function whose largest request has so many bits of bytes.
    using CallGroup = std::pair<Index, int>;

    CallGroup group_of(const Call &call) const {
        std::uint64_t bytes = 0;
        for (const Change &change : trace_.changes_of(call))
            bytes = std::max(bytes, trace_.requests[change.request].bytes);
        return {call.function, std::bit_width(bytes)};
    }

    /// If threads shared processors, a waiting call polls longer than it would on its own
    /// processor. Its cost is limited to the least of its group: the call that came last. Other
    /// calls cost at most the low quartile.
    void measure_calls() {
        if (!has_cpu_clocks(trace_))
            return;
        std::map<CallGroup, std::vector<Time>> costs;
        for (Index task = 0; task < trace_.tasks.size(); ++task) {
            const Call *latest = nullptr;
            Time cost = 0;
            const auto note = [&] {
                if (latest == nullptr || latest->changes_count == 0)
                    return;
                costs[group_of(*latest)].push_back(cost);
            };
            visit_calls(trace_, task, [&](const Call &call, const Segment &segment, Interval part) {
                if (&call != latest) {
                    note();
                    cost = 0;
                    latest = &call;
                }
                cost += cpu_time(trace_, segment.thread, part);
            });
            note();
        }
        for (auto &[group, of] : costs) {
            std::sort(of.begin(), of.end());
            call_costs_[group] = {of.front(), of[(of.size() - 1) / 4]};
        }
    }

    /// The upper limit of a call's cost.
    Time most_cost(const Call &call, bool waited) const {
        const auto found = call_costs_.find(group_of(call));
        if (found == call_costs_.end())
            return kNever;
        return waited ? found->second.least : found->second.low;
    }

    /// A holding without a length excludes nobody; its begin and end would be in the wrong order.
    void sort_holdings() {
        std::vector<Index> holdings;
        holdings.reserve(trace_.holdings.size());
        for (Index i = 0; i < trace_.holdings.size(); ++i) {
            const Holding &holding = trace_.holdings[i];
            program_.mutexes = std::max(program_.mutexes, holding.mutex + 1);
            if (holding.begin < holding.end)
                holdings.push_back(i);
        }
        holdings_ = {std::move(holdings), trace_.tasks.size() + trace_.threads.size(),
                     [&](Index i) {
                         const Holding &holding = trace_.holdings[i];
                         return trace_.tasks[holding.task].works()
                                    ? holding.task
                                    : program_.tasks + holding.thread;
                     },
                     [](Index a, Index b) { return a < b; }};
    }

    void begin_activity(Index rank) {
        program_.first_step.push_back(static_cast<Index>(program_.steps.size()));
        program_.rank.push_back(rank);
    }

    void add_code(Time duration, Index call = kNone) {
        if (duration > 0)
            program_.steps.push_back({.duration = duration, .what = call, .kind = Step::code});
    }

    void add_step(Step::Kind kind, Index what) {
        program_.steps.push_back({.what = what, .kind = kind});
    }

    void add_task(Index task) {
        begin_activity(trace_.tasks[task].rank);
        if (!trace_.tasks[task].works())
            return;
        const auto segments = trace_.segments_of(task);
        stays_.clear();
        for (const Segment &segment : segments)
            stays_.push_back({{segment.begin, segment.end}, segment.thread});
        Meter meter(trace_, stays_);
        const auto calls = trace_.calls_of(task);
        program_.suspends |= std::any_of(calls.begin(), calls.end(), completes_without_call);
        for (std::size_t i = 0; i + 1 < segments.size() && !program_.suspends; ++i)
            program_.suspends = std::any_of(calls.begin(), calls.end(), [&](const Call &call) {
                return call.begin <= segments[i].end && segments[i + 1].begin <= call.end;
            });
        marks_.clear();
        for (const Call &call : calls)
            marks_.push_back(mark_of(call));
        mark_creations(task, marks_);
        mark_waits(task, marks_);
        add_steps(meter, marks_);
        if (!segments.empty())
            add_code(meter.up_to(segments.back().end));
        if (const auto found = fulfilment_of_.find(task); found != fulfilment_of_.end())
            add_step(Step::wait, found->second);
    }

    /// The steps of threads outside of explicit tasks.
    void add_threads(const std::vector<std::vector<Interval>> &present) {
        std::vector<std::vector<Mark>> marks(trace_.threads.size());
        for (const Call &call : trace_.calls)
            if (!trace_.tasks[call.task].works())
                marks[call.thread].push_back(mark_of(call));
        Time origin = kNever; // the first step of all
        for (Index thread = 0; thread < trace_.threads.size(); ++thread) {
            mark_creations(program_.tasks + thread, marks[thread]);
            for (const Mark &mark : marks[thread])
                origin = std::min(origin, mark.time);
            mark_waits(program_.tasks + thread, marks[thread]);
            for (const Synchronisations::Fork &fork : synchronisations_.begins[thread])
                marks[thread].push_back({fork.time, Mark::meet, fork.synchronisation});
            for (const Synchronisations::Fork &fork : synchronisations_.forks[thread])
                marks[thread].push_back({fork.time, Mark::count, fork.synchronisation});
        }
        for (Index thread = 0; thread < trace_.threads.size(); ++thread) {
            begin_activity(trace_.threads[thread].rank);
            // A thread with tasks of its own does nothing while it is in none of them.
            stays_.clear();
            if (present[thread].empty())
                stay_outside(thread);
            else
                for (const Index i : trace_.segments_on(thread))
                    if (const Segment &segment = trace_.segments[i];
                        !trace_.tasks[segment.task].works())
                        stays_.push_back({{segment.begin, segment.end}, thread});
            Meter meter(trace_, stays_);
            if (origin != kNever)
                meter.up_to(origin);
            add_steps(meter, marks[thread]);
        }
    }

    /// The thread stays where none of its segments is.
    void stay_outside(Index thread) {
        Time from = kLongAgo;
        for (const Index i : trace_.segments_on(thread)) {
            const Segment &segment = trace_.segments[i];
            if (segment.begin > from)
                stays_.push_back({{from, segment.begin}, thread});
            from = std::max(from, segment.end);
        }
        stays_.push_back({{from, kNever}, thread});
    }

    void mark_creations(Index activity, std::vector<Mark> &marks) {
        for (const Index task : creations_.of(activity))
            marks.push_back({trace_.tasks[task].created, Mark::create, task});
    }

    Mark mark_of(const Call &call) const {
        return {call.begin, Mark::call, static_cast<Index>(&call - trace_.calls.data())};
    }

    void mark_waits(Index activity, std::vector<Mark> &marks) {
        for (const Index i : holdings_.of(activity)) {
            const Holding &holding = trace_.holdings[i];
            marks.push_back({holding.begin, Mark::take, holding.mutex});
            marks.push_back({holding.end, Mark::give, holding.mutex});
        }
        for (const Index i : fulfilments_.of(activity))
            marks.push_back({trace_.fulfilments[i].time, Mark::fulfil, first_fulfilment_ + i});
        for (const Index wait : waits_.of(activity))
            marks.push_back({trace_.waits[wait].begin, Mark::wait, wait});
    }

    void add_steps(Meter &meter, std::vector<Mark> &marks) {
        sort_marks(marks);
        for (const Mark &mark : marks) {
            if (mark.kind == Mark::call) {
                add_call(meter, trace_.calls[mark.what]);
                continue;
            }
            add_code(meter.up_to(mark.time));
            switch (mark.kind) {
            case Mark::meet:
                add_step(Step::wait, mark.what);
                break;
            case Mark::count:
            case Mark::fulfil:
                add_step(Step::count, mark.what);
                break;
            case Mark::create:
                add_step(Step::create, mark.what);
                break;
            case Mark::take:
                add_step(Step::take, mark.what);
                break;
            case Mark::give:
                add_step(Step::give, mark.what);
                break;
            default:
                meter.up_to(trace_.waits[mark.what].end);
                if (trace_.waits[mark.what].what != WaitFor::mutex)
                    add_step(Step::wait, synchronisations_.of_wait[mark.what]);
                break;
            }
        }
    }

    /// True if a call that completes the request waits for another rank.
    bool waits(Index request) const {
        const Request &started = trace_.requests[request];
        return started.kind != RequestKind::send ||
               program_.transport.of_size(started.bytes).rendezvous;
    }

    /// When the task was first suspended in the call; kNever if it was not.
    Time suspension_in(const Call &call) const {
        const auto segments = trace_.segments_of(call.task);
        const auto after = std::upper_bound(
            segments.begin(), segments.end(), call.begin,
            [](Time time, const Segment &segment) { return time < segment.begin; });
        return after != segments.begin() && std::prev(after)->end < call.end ? std::prev(after)->end
                                                                             : kNever;
    }

    void add_call(Meter &meter, const Call &call) {
        add_code(meter.up_to(call.begin));
        const auto changes = trace_.changes_of(call);
        const Time suspended = trace_.tasks[call.task].works() ? suspension_in(call) : kNever;
        const bool waited = std::any_of(changes.begin(), changes.end(), [&](const Change &change) {
            return change.completes && waits(change.request);
        });
        // A call that waited on its thread spent an unknown part of its time waiting.
        const Time most = most_cost(call, waited);
        const Time cost = std::min(most, meter.up_to(std::min(suspended, call.end)));
        const auto name = static_cast<Index>(&call - trace_.calls.data());
        if (suspended != kNever || !waited)
            add_code(cost, name);
        for (const bool second : {false, true})
            for (const Change &change : changes)
                if (change.completes == second)
                    add_step(second ? Step::complete : Step::start, change.request);
        add_code(std::min(most - cost, meter.up_to(call.end)), name);
    }

    const Trace &trace_;
    Program program_;
    Grouped creations_; ///< by activity
    Grouped waits_;
    Grouped holdings_;
    Grouped fulfilments_;
    Index first_fulfilment_ = 0; ///< its synchronisation
    std::unordered_map<Index, Index>
        fulfilment_of_; ///< synchronisations by the task that they complete
    Synchronisations synchronisations_;
    std::vector<Stay> stays_; ///< an activity's stays on threads
    std::vector<Mark> marks_; ///< a task's marks
    struct CallCosts {
        Time least;
        Time low; ///< the low quartile
    };
    std::map<CallGroup, CallCosts> call_costs_; ///< with CPU clocks
};

} // namespace

Program make_program(const Trace &trace) { return Maker(trace).make(); }

} // namespace loomp::analysis
