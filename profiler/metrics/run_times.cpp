#include "profiler/metrics/run_times.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "profiler/trace/calls.h"

namespace loomp::analysis {

namespace {

/// A time at which the thread begins or ends an activity.
struct Turn {
    Time time;
    Doing what;
    bool begins;
    Index construct;
};

/// Adds both ends of an interval that is not empty.
void add(std::vector<Turn> &turns, Interval time, Doing what, Index construct) {
    if (time.begin >= time.end)
        return;
    turns.push_back({time.begin, what, true, construct});
    turns.push_back({time.end, what, false, construct});
}

/// One list per thread, in order of time, without those of segments.
std::vector<std::vector<Turn>> other_turns(const Trace &trace) {
    std::vector<std::vector<Turn>> turns(trace.threads.size());
    for (Index task = 0; task < trace.tasks.size(); ++task)
        if (!trace.tasks[task].works())
            visit_calls(trace, task, [&](const Call &call, const Segment &segment, Interval part) {
                add(turns[segment.thread], part, Doing::mpi, call.function);
            });
    for (const Wait &wait : trace.waits)
        if (trace.tasks[wait.task].implicit || wait.what == WaitFor::mutex)
            add(turns[wait.thread], {wait.begin, wait.end}, Doing::waiting, wait.kind);
    for (const Construct &construct : trace.constructs)
        add(turns[construct.thread], {construct.begin, construct.end},
            construct.what == ConstructKind::parallel ? Doing::regions : Doing::shared,
            construct.kind);
    for (std::vector<Turn> &list : turns)
        std::stable_sort(list.begin(), list.end(),
                         [](const Turn &a, const Turn &b) { return a.time < b.time; });
    return turns;
}

/// A thread's turns in order of time: those of its segments, and others.
class Turns {
  public:
    Turns(const Trace &trace, TasksToo tasks, Index thread, std::span<const Turn> others)
        : trace_(trace), tasks_(tasks), segments_(trace.segments_on(thread)), others_(others) {
        begin_segment();
    }

    /// Null after the last.
    const Turn *next() const {
        if (segment_ == nullptr)
            return others_.empty() ? nullptr : &others_.front();
        return !others_.empty() && others_.front().time < turn_.time ? &others_.front() : &turn_;
    }
    void pass() {
        if (next() != &turn_) {
            others_ = others_.subspan(1);
        } else if (turn_.begins) {
            turn_.time = segment_->end;
            turn_.begins = false;
        } else {
            begin_segment();
        }
    }

  private:
    void begin_segment() {
        segment_ = nullptr;
        for (; !segments_.empty() && segment_ == nullptr; segments_ = segments_.subspan(1)) {
            const Segment &segment = trace_.segments[segments_.front()];
            const bool works = trace_.tasks[segment.task].works();
            if (segment.begin >= segment.end || (works && tasks_ == TasksToo::no))
                continue;
            segment_ = &segment;
            turn_ = {segment.begin, works ? Doing::tasks : Doing::serial, true, kNone};
        }
    }

    const Trace &trace_;
    const TasksToo tasks_;
    std::span<const Index> segments_; ///< after the current one
    std::span<const Turn> others_;
    const Segment *segment_ = nullptr; ///< its begin or end is turn_; null after the last
    Turn turn_ = {};
};

/// The activities that a thread is in at a time.
class Now {
  public:
    void take(const Turn &turn) {
        std::vector<Index> &open = open_[static_cast<std::size_t>(turn.what)];
        if (turn.begins) {
            open.push_back(turn.construct);
            return;
        }
        const auto found = std::find(open.rbegin(), open.rend(), turn.construct);
        if (found != open.rend())
            open.erase(std::next(found).base());
    }
    Doings at(Interval time) const {
        for (std::size_t i = 0; i < kDoings; ++i)
            if (!open_[i].empty())
                return {time, static_cast<Doing>(i), open_[i].back()};
        return {time, Doing::outside};
    }

  private:
    std::vector<Index> open_[kDoings]; ///< constructs, the innermost last
};

} // namespace

Time RunTimes::total() const {
    return std::accumulate(std::begin(by_doing), std::end(by_doing), Time{0});
}

Time RunTimes::useful() const {
    const RunTimes &times = *this;
    return times[Doing::tasks] + times[Doing::shared] + times[Doing::regions] +
           times[Doing::serial];
}

RunTimes &RunTimes::operator+=(const RunTimes &other) {
    for (std::size_t i = 0; i < kDoings; ++i)
        by_doing[i] += other.by_doing[i];
    return *this;
}

void visit_doings(const Trace &trace, TasksToo tasks,
                  const std::function<void(Index, const Doings &)> &visit) {
    const std::vector<std::vector<Turn>> others = other_turns(trace);
    for (Index thread = 0; thread < trace.threads.size(); ++thread) {
        const Interval run = trace.runs[trace.threads[thread].rank];
        const bool first = trace.threads[thread].number == 0;
        Now now;
        std::optional<Doings> latest; // it may continue
        const auto add = [&](Interval time) {
            Doings doing = now.at(time);
            if (doing.what == Doing::outside && first)
                doing.what = Doing::serial;
            if (doing.what == Doing::outside || time.begin >= time.end)
                return;
            const bool goes_on = latest && latest->time.end == time.begin &&
                                 latest->what == doing.what &&
                                 latest->construct == doing.construct && doing.what != Doing::tasks;
            if (goes_on) {
                latest->time.end = time.end;
                return;
            }
            if (latest)
                visit(thread, *latest);
            latest = doing;
        };
        Time from = run.begin;
        Turns turns(trace, tasks, thread, others[thread]);
        for (const Interval &known : trace.recorded(thread, run)) {
            from = std::max(from, known.begin);
            for (const Turn *turn = turns.next(); turn != nullptr && turn->time <= known.end;
                 turn = turns.next()) {
                if (turn->time > from) {
                    add({from, turn->time});
                    from = turn->time;
                }
                now.take(*turn);
                turns.pass();
            }
            add({from, known.end});
            from = known.end;
        }
        if (latest)
            visit(thread, *latest);
    }
}

std::vector<RunTimes> run_times(const Trace &trace) {
    std::vector<RunTimes> times(trace.threads.size());
    visit_doings(trace, TasksToo::yes, [&](Index thread, const Doings &doing) {
        times[thread].by_doing[static_cast<std::size_t>(doing.what)] += doing.time.length();
    });
    for (Index thread = 0; thread < times.size(); ++thread) {
        RunTimes &own = times[thread];
        Time known = 0;
        for (const Interval &part : trace.recorded(thread, trace.runs[trace.threads[thread].rank]))
            known += part.length();
        own.by_doing[static_cast<std::size_t>(Doing::outside)] = known - own.total();
    }
    return times;
}

} // namespace loomp::analysis
