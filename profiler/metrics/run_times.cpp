#include "profiler/metrics/run_times.h"

#include <algorithm>
#include <numeric>

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

/// One list per thread, in order of time.
std::vector<std::vector<Turn>> turns_of(const Trace &trace, TasksToo tasks) {
    std::vector<std::vector<Turn>> turns(trace.threads.size());
    const auto add = [&](Index thread, Interval time, Doing what, Index construct = kNone) {
        if (time.begin >= time.end)
            return;
        turns[thread].push_back({time.begin, what, true, construct});
        turns[thread].push_back({time.end, what, false, construct});
    };
    for (const Segment &segment : trace.segments)
        if (tasks == TasksToo::yes || !trace.tasks[segment.task].works())
            add(segment.thread, {segment.begin, segment.end},
                trace.tasks[segment.task].works() ? Doing::tasks : Doing::serial);
    for (Index task = 0; task < trace.tasks.size(); ++task)
        if (!trace.tasks[task].works())
            visit_calls(trace, task, [&](const Call &call, const Segment &segment, Interval part) {
                add(segment.thread, part, Doing::mpi, call.function);
            });
    for (const Wait &wait : trace.waits)
        if (trace.tasks[wait.task].implicit)
            add(wait.thread, {wait.begin, wait.end}, Doing::waiting, wait.kind);
    for (const Construct &construct : trace.constructs)
        add(construct.thread, {construct.begin, construct.end},
            construct.what == ConstructKind::parallel ? Doing::regions : Doing::shared,
            construct.kind);
    for (std::vector<Turn> &list : turns)
        std::stable_sort(list.begin(), list.end(),
                         [](const Turn &a, const Turn &b) { return a.time < b.time; });
    return turns;
}

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

std::vector<std::vector<Doings>> doings_of_threads(const Trace &trace, TasksToo tasks) {
    std::vector<std::vector<Turn>> turns = turns_of(trace, tasks);
    std::vector<std::vector<Doings>> result(trace.threads.size());
    for (Index thread = 0; thread < trace.threads.size(); ++thread) {
        const Interval run = trace.runs[trace.threads[thread].rank];
        const bool first = trace.threads[thread].number == 0;
        std::vector<Doings> &list = result[thread];
        Now now;
        const auto add = [&](Interval time) {
            Doings doing = now.at(time);
            if (doing.what == Doing::outside && first)
                doing.what = Doing::serial;
            if (doing.what == Doing::outside || time.begin >= time.end)
                return;
            const bool goes_on = !list.empty() && list.back().time.end == time.begin &&
                                 list.back().what == doing.what &&
                                 list.back().construct == doing.construct &&
                                 doing.what != Doing::tasks;
            if (goes_on)
                list.back().time.end = time.end;
            else
                list.push_back(doing);
        };
        Time from = run.begin;
        auto turn = turns[thread].begin();
        for (const Interval &known : trace.recorded(thread, run)) {
            from = std::max(from, known.begin);
            for (; turn != turns[thread].end() && turn->time <= known.end; ++turn) {
                if (turn->time > from) {
                    add({from, turn->time});
                    from = turn->time;
                }
                now.take(*turn);
            }
            add({from, known.end});
            from = known.end;
        }
        turns[thread] = {}; // long traces have many
    }
    return result;
}

std::vector<RunTimes> run_times(const Trace &trace) {
    std::vector<RunTimes> times(trace.threads.size());
    const auto doings = doings_of_threads(trace);
    for (Index thread = 0; thread < times.size(); ++thread) {
        RunTimes &own = times[thread];
        for (const Doings &doing : doings[thread])
            own.by_doing[static_cast<std::size_t>(doing.what)] += doing.time.length();
        Time known = 0;
        for (const Interval &part : trace.recorded(thread, trace.runs[trace.threads[thread].rank]))
            known += part.length();
        own.by_doing[static_cast<std::size_t>(Doing::outside)] = known - own.total();
    }
    return times;
}

} // namespace loomp::analysis
