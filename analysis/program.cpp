#include "analysis/program.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "analysis/code.h"
#include "analysis/intervals.h"

namespace loomp::analysis {

namespace {

Time quantile(std::vector<Time> &times, double part) {
    if (times.empty())
        return 0;
    const auto place =
        times.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(times.size() - 1));
    std::nth_element(times.begin(), place, times.end());
    return *place;
}

/// Before all times of a trace, so that differences are times, too.
constexpr Time kLongAgo = -(Time{1} << 60);

/// Tells how much of the time up to some moment, and since the one asked for before, was in a list
/// of intervals in order.
class Meter {
  public:
    explicit Meter(std::vector<Interval> intervals) : intervals_(std::move(intervals)) {}

    Time up_to(Time time) {
        Time sum = 0;
        while (next_ < intervals_.size() && intervals_[next_].begin < time) {
            const Interval &of = intervals_[next_];
            sum += std::max<Time>(0, std::min(of.end, time) - std::max(of.begin, since_));
            if (of.end > time)
                break;
            ++next_;
        }
        since_ = std::max(since_, time);
        return sum;
    }

  private:
    std::vector<Interval> intervals_;
    std::size_t next_ = 0;
    Time since_ = kLongAgo;
};

class Maker {
  public:
    explicit Maker(const Trace &trace) : trace_(trace) {}

    Program make() {
        program_.tasks = static_cast<Index>(trace_.tasks.size());
        program_.dependences = trace_.dependences;
        pair_requests();
        measure_transfers();
        sort_creations();
        const std::vector<std::vector<Interval>> present = presence();
        gatherings_ = gather(trace_, present);
        sort_waits();
        for (Index task = 0; task < program_.tasks; ++task)
            add_task(task);
        add_threads(present);
        program_.first_step.push_back(static_cast<Index>(program_.steps.size()));
        measure_overhead();
        program_.gatherings = std::move(gatherings_.all);
        program_.child_of = std::move(gatherings_.child_of);
        program_.member_of = std::move(gatherings_.member_of);
        return std::move(program_);
    }

  private:
    void pair_requests() {
        program_.peer.assign(trace_.requests.size(), kNone);
        program_.collective.assign(trace_.requests.size(), kNone);
        for (const Message &message : trace_.messages) {
            program_.peer[message.send] = message.receive;
            program_.peer[message.receive] = message.send;
        }
        for (Index i = 0; i < trace_.collectives.size(); ++i)
            for (const Index request : trace_.collectives[i])
                program_.collective[request] = i;
    }

    /// The explicit tasks, by the activity that created them, in order of time.
    void sort_creations() {
        for (Index i = 0; i < program_.tasks; ++i) {
            const Task &task = trace_.tasks[i];
            if (!task.implicit && task.created != kNever)
                creations_.push_back({creator_of(trace_, i), i});
        }
        std::sort(creations_.begin(), creations_.end(), [&](const Creation &a, const Creation &b) {
            if (a.by != b.by)
                return a.by < b.by;
            const Time first = trace_.tasks[a.task].created;
            const Time second = trace_.tasks[b.task].created;
            return first != second ? first < second : a.task < b.task;
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

    void add_code(Time duration) {
        if (duration > 0)
            program_.steps.push_back({.duration = duration, .kind = Step::code});
    }

    void add_task(Index task) {
        begin_activity(trace_.tasks[task].rank);
        if (trace_.tasks[task].implicit)
            return;
        const auto segments = trace_.segments_of(task);
        std::vector<Interval> own;
        own.reserve(segments.size());
        for (const Segment &segment : segments)
            own.push_back({segment.begin, segment.end});
        Meter meter(std::move(own));
        const auto calls = trace_.calls_of(task);
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

    /// When each thread that has tasks of its own is in any task.
    std::vector<std::vector<Interval>> presence() const {
        std::vector<bool> own(trace_.threads.size(), false);
        for (const Segment &segment : trace_.segments)
            if (trace_.tasks[segment.task].implicit)
                own[segment.thread] = true;
        std::vector<std::vector<Interval>> present(trace_.threads.size());
        for (const Segment &segment : trace_.segments)
            if (own[segment.thread])
                present[segment.thread].push_back({segment.begin, segment.end});
        for (std::vector<Interval> &of_thread : present)
            of_thread = unite(std::move(of_thread));
        return present;
    }

    /// What threads did outside of explicit tasks. A thread that has tasks of its own and is in
    /// none does nothing.
    void add_threads(const std::vector<std::vector<Interval>> &present) {
        std::vector<std::vector<Interval>> busy(trace_.threads.size());
        std::vector<std::vector<Mark>> marks(trace_.threads.size());
        for (Index task = 0; task < program_.tasks; ++task) {
            if (!trace_.tasks[task].implicit) {
                for (const Segment &segment : trace_.segments_of(task))
                    busy[segment.thread].push_back({segment.begin, segment.end});
                continue;
            }
            for (const Call &call : trace_.calls_of(task))
                marks[call.thread].push_back(mark_of(call));
        }
        Time origin = kNever; // the first step of all
        for (Index thread = 0; thread < trace_.threads.size(); ++thread) {
            mark_creations(program_.tasks + thread, marks[thread]);
            for (const Mark &mark : marks[thread])
                origin = std::min(origin, mark.time);
            mark_waits(program_.tasks + thread, marks[thread]);
            for (const Gatherings::Fork &of : gatherings_.begins[thread])
                marks[thread].push_back({of.time, Mark::meet, of.gathering});
            for (const Gatherings::Fork &of : gatherings_.forks[thread])
                marks[thread].push_back({of.time, Mark::count, of.gathering});
            for (std::size_t i = 1; i < present[thread].size(); ++i)
                busy[thread].push_back({present[thread][i - 1].end, present[thread][i].begin});
        }
        for (Index thread = 0; thread < trace_.threads.size(); ++thread) {
            begin_activity(trace_.threads[thread].rank);
            Meter meter(outside(std::move(busy[thread])));
            if (origin != kNever)
                meter.up_to(origin);
            add_steps(meter, marks[thread]);
        }
    }

    static std::vector<Interval> outside(std::vector<Interval> busy) {
        std::sort(busy.begin(), busy.end(),
                  [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
        std::vector<Interval> free;
        Time from = kLongAgo;
        for (const Interval &of : busy) {
            if (of.begin > from)
                free.push_back({from, of.begin});
            from = std::max(from, of.end);
        }
        free.push_back({from, kNever});
        return free;
    }

    /// What an activity does at some time; of two at once, the one whose kind comes first.
    struct Mark {
        enum Kind : std::uint8_t {
            meet,   ///< wait for gathering `what`
            count,  ///< come to gathering `what`
            create, ///< task `what`
            call,   ///< of Trace::calls
            wait,   ///< of Trace::waits
        };
        Time time;
        Kind kind;
        Index what;
    };

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
        std::stable_sort(marks.begin(), marks.end(), [](const Mark &a, const Mark &b) {
            return a.time != b.time ? a.time < b.time : a.kind < b.kind;
        });
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
                    {.what = gatherings_.of_wait[mark.what], .kind = Step::wait});
                break;
            }
        }
    }

    /// Since when what the request is about was under way on both sides.
    Time met(Index request) const {
        const Request &of = trace_.requests[request];
        if (program_.collective[request] != kNone) {
            Time latest = of.started;
            for (const Index other : trace_.collectives[program_.collective[request]])
                latest = std::max(latest, trace_.requests[other].started);
            return latest;
        }
        const Index peer = program_.peer[request];
        return peer == kNone ? of.started : std::max(of.started, trace_.requests[peer].started);
    }

    /// Whether a call that completes the request waits for what another rank does.
    bool waits(Index request) const {
        const Request &of = trace_.requests[request];
        return of.kind != RequestKind::send || program_.transfers_of(of.bytes).rendezvous;
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
        const Time suspended = trace_.tasks[call.task].implicit ? kNever : suspension_in(call);
        const bool waited = std::any_of(changes.begin(), changes.end(), [&](const Change &change) {
            return change.completes && waits(change.request);
        });
        // One that waited on its thread took for that an unknown part of its time.
        const Time cost = meter.up_to(std::min(suspended, call.end));
        if (suspended != kNever || !waited)
            add_code(cost);
        for (const bool second : {false, true})
            for (const Change &change : changes)
                if (change.completes == second)
                    program_.steps.push_back(
                        {.what = change.request, .kind = second ? Step::complete : Step::start});
        add_code(meter.up_to(call.end));
    }

    void measure_transfers() {
        std::array<std::vector<Time>, 65> times;
        std::array<std::array<std::size_t, 2>, 65> early{};
        for (const Message &message : trace_.messages) {
            const Request &send = trace_.requests[message.send];
            const Request &receive = trace_.requests[message.receive];
            if (receive.completed == kNever)
                continue;
            const auto size = static_cast<std::size_t>(std::bit_width(send.bytes));
            times[size].push_back(
                std::max<Time>(0, receive.completed - std::max(send.started, receive.started)));
            if (send.started < receive.started) {
                ++early[size][0];
                early[size][1] += send.completed < receive.started ? 1 : 0;
            }
        }
        constexpr std::size_t kFew = 20; // one in as many, and they are no rendezvous
        for (std::size_t size = 0; size < times.size(); ++size)
            program_.transfers[size] = {quantile(times[size], kLow),
                                        early[size][0] > 0 &&
                                            early[size][1] * kFew < early[size][0]};
        program_.transfer.assign(trace_.requests.size(), 0);
        for (Index request = 0; request < trace_.requests.size(); ++request)
            if (trace_.requests[request].completed != kNever)
                program_.transfer[request] =
                    std::max<Time>(0, trace_.requests[request].completed - met(request));
    }

    void measure_overhead() {
        std::vector<std::vector<const Segment *>> threads(trace_.threads.size());
        for (const Segment &segment : trace_.segments)
            if (!trace_.tasks[segment.task].implicit)
                threads[segment.thread].push_back(&segment);
        std::vector<std::vector<Time>> created(trace_.threads.size());
        for (const Creation &creation : creations_)
            created[trace_.tasks[creation.task].creator].push_back(
                trace_.tasks[creation.task].created);
        program_.delays.assign(trace_.segments.size(), kNever);
        Time sum = 0;
        Time count = 0;
        for (Index thread = 0; thread < threads.size(); ++thread) {
            std::sort(threads[thread].begin(), threads[thread].end(),
                      [](const Segment *a, const Segment *b) { return a->begin < b->begin; });
            std::sort(created[thread].begin(), created[thread].end());
            for (std::size_t i = 1; i < threads[thread].size(); ++i) {
                const Segment &before = *threads[thread][i - 1];
                const Segment &after = *threads[thread][i];
                const auto creation =
                    std::lower_bound(created[thread].begin(), created[thread].end(), before.begin);
                const bool creates = creation != created[thread].end() && *creation < after.begin;
                if (creates)
                    continue;
                const Time delay = after.begin - std::max(before.end, after.ready);
                program_.delays[static_cast<std::size_t>(&after - trace_.segments.data())] = delay;
                sum += delay;
                ++count;
            }
        }
        program_.task_overhead = count == 0 ? 0 : sum / count;
        for (Time &delay : program_.delays)
            if (delay == kNever)
                delay = program_.task_overhead;
    }

    struct Creation {
        Index by; ///< activity
        Index task;
    };
    static constexpr double kLow = 0.25;

    const Trace &trace_;
    Program program_;
    std::vector<Creation> creations_;
    std::size_t next_ = 0; ///< of them
    Gatherings gatherings_;
    std::vector<Index> waits_; ///< of Trace::waits, by activity
    std::size_t next_wait_ = 0;
    std::vector<Mark> marks_; ///< of a task
};

} // namespace

const Transfers &Program::transfers_of(std::uint64_t bytes) const {
    return transfers[static_cast<std::size_t>(std::bit_width(bytes))];
}

Program make_program(const Trace &trace) { return Maker(trace).make(); }

} // namespace loomp::analysis
