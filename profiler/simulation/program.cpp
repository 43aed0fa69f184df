#include "profiler/simulation/program.h"

#include <algorithm>
#include <map>
#include <numeric>
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
        sort_creations();
        const std::vector<std::vector<Interval>> present = presence_of_threads(trace_);
        synchronisations_ = find_synchronisations(trace_, present);
        sort_waits();
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
    /// If threads shared processors, a waiting call polls longer than it would on its own
    /// processor. Its cost is limited to the low quartile of its function.
    void measure_calls() {
        if (!has_cpu_clocks(trace_))
            return;
        std::map<Index, std::vector<Time>> costs;
        for (Index task = 0; task < trace_.tasks.size(); ++task) {
            const Call *latest = nullptr;
            visit_calls(trace_, task, [&](const Call &call, const Segment &segment, Interval part) {
                const Time cost = cpu_time(trace_, segment.thread, part);
                if (&call == latest)
                    costs[call.function].back() += cost;
                else
                    costs[call.function].push_back(cost);
                latest = &call;
            });
        }
        for (auto &[function, of] : costs) {
            const auto low = of.begin() + static_cast<std::ptrdiff_t>((of.size() - 1) / 4);
            std::nth_element(of.begin(), low, of.end());
            call_costs_[function] = *low;
        }
    }

    /// The upper limit of a waiting call's cost.
    Time most_cost(const Call &call) const {
        const auto found = call_costs_.find(call.function);
        return found == call_costs_.end() ? kNever : found->second;
    }

    /// The explicit tasks by the activity that created them, in order of time.
    void sort_creations() {
        for (Index i = 0; i < program_.tasks; ++i) {
            const Task &task = trace_.tasks[i];
            if (task.works() && task.created != kNever)
                creations_.push_back({creator_of(trace_, i), i});
        }
        std::sort(creations_.begin(), creations_.end(), [&](const Creation &a, const Creation &b) {
            if (a.by != b.by)
                return a.by < b.by;
            const Task &first = trace_.tasks[a.task];
            const Task &second = trace_.tasks[b.task];
            return first.created != second.created ? first.created < second.created
                                                   : first.id < second.id;
        });
    }

    void sort_waits() {
        waits_.resize(trace_.waits.size());
        std::iota(waits_.begin(), waits_.end(), 0);
        std::stable_sort(waits_.begin(), waits_.end(), [&](Index a, Index b) {
            return activity_of(trace_, trace_.waits[a]) < activity_of(trace_, trace_.waits[b]);
        });
    }

    void begin_activity(Index rank) {
        program_.first_step.push_back(static_cast<Index>(program_.steps.size()));
        program_.rank.push_back(rank);
    }

    void add_code(Time duration, Index call = kNone) {
        if (duration > 0)
            program_.steps.push_back({.duration = duration, .what = call, .kind = Step::code});
    }

    void add_task(Index task) {
        begin_activity(trace_.tasks[task].rank);
        if (!trace_.tasks[task].works())
            return;
        const auto segments = trace_.segments_of(task);
        std::vector<Stay> own;
        own.reserve(segments.size());
        for (const Segment &segment : segments)
            own.push_back({{segment.begin, segment.end}, segment.thread});
        Meter meter(trace_, std::move(own));
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
    }

    /// The steps of threads outside of explicit tasks.
    void add_threads(const std::vector<std::vector<Interval>> &present) {
        std::vector<std::vector<Interval>> busy(trace_.threads.size());
        std::vector<std::vector<Stay>> stays(trace_.threads.size());
        std::vector<std::vector<Mark>> marks(trace_.threads.size());
        for (Index task = 0; task < program_.tasks; ++task) {
            const bool works = trace_.tasks[task].works();
            for (const Segment &segment : trace_.segments_of(task))
                if (works)
                    busy[segment.thread].push_back({segment.begin, segment.end});
                else
                    stays[segment.thread].push_back({{segment.begin, segment.end}, segment.thread});
            if (works)
                continue;
            for (const Call &call : trace_.calls_of(task))
                marks[call.thread].push_back(mark_of(call));
        }
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
            if (present[thread].empty())
                stays[thread] = outside(std::move(busy[thread]), thread);
            else
                std::sort(stays[thread].begin(), stays[thread].end(),
                          [](const Stay &a, const Stay &b) { return a.time.begin < b.time.begin; });
            Meter meter(trace_, std::move(stays[thread]));
            if (origin != kNever)
                meter.up_to(origin);
            add_steps(meter, marks[thread]);
        }
    }

    static std::vector<Stay> outside(std::vector<Interval> busy, Index thread) {
        std::sort(busy.begin(), busy.end(),
                  [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
        std::vector<Stay> free;
        Time from = kLongAgo;
        for (const Interval &interval : busy) {
            if (interval.begin > from)
                free.push_back({{from, interval.begin}, thread});
            from = std::max(from, interval.end);
        }
        free.push_back({{from, kNever}, thread});
        return free;
    }

    void mark_creations(Index activity, std::vector<Mark> &marks) {
        for (; next_ < creations_.size() && creations_[next_].by == activity; ++next_)
            marks.push_back({trace_.tasks[creations_[next_].task].created, Mark::create,
                             creations_[next_].task});
    }

    Mark mark_of(const Call &call) const {
        return {call.begin, Mark::call, static_cast<Index>(&call - trace_.calls.data())};
    }

    void mark_waits(Index activity, std::vector<Mark> &marks) {
        for (; next_wait_ < waits_.size() &&
               activity_of(trace_, trace_.waits[waits_[next_wait_]]) == activity;
             ++next_wait_)
            marks.push_back(
                {trace_.waits[waits_[next_wait_]].begin, Mark::wait, waits_[next_wait_]});
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
                program_.steps.push_back({.what = mark.what, .kind = Step::wait});
                break;
            case Mark::count:
                program_.steps.push_back({.what = mark.what, .kind = Step::count});
                break;
            case Mark::create:
                program_.steps.push_back({.what = mark.what, .kind = Step::create});
                break;
            default:
                meter.up_to(trace_.waits[mark.what].end);
                program_.steps.push_back(
                    {.what = synchronisations_.of_wait[mark.what], .kind = Step::wait});
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
        const Time most = waited ? most_cost(call) : kNever;
        const Time cost = std::min(most, meter.up_to(std::min(suspended, call.end)));
        const auto name = static_cast<Index>(&call - trace_.calls.data());
        if (suspended != kNever || !waited)
            add_code(cost, name);
        for (const bool second : {false, true})
            for (const Change &change : changes)
                if (change.completes == second)
                    program_.steps.push_back(
                        {.what = change.request, .kind = second ? Step::complete : Step::start});
        add_code(std::min(most - cost, meter.up_to(call.end)), name);
    }

    struct Creation {
        Index by; ///< activity
        Index task;
    };

    const Trace &trace_;
    Program program_;
    std::vector<Creation> creations_;
    std::size_t next_ = 0; ///< the next of them
    Synchronisations synchronisations_;
    std::vector<Index> waits_; ///< indices of Trace::waits, by activity
    std::size_t next_wait_ = 0;
    std::vector<Mark> marks_;          ///< a task's marks
    std::map<Index, Time> call_costs_; ///< the costs of a function's calls, with CPU clocks
};

} // namespace

Program make_program(const Trace &trace) { return Maker(trace).make(); }

} // namespace loomp::analysis
