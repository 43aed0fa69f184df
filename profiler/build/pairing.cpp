#include "profiler/build/pairing.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "profiler/build/gaps.h"

namespace loomp::analysis {

namespace {

/// Takes the points of each mutex in order of time. A mutex has one owner at a time, so a task has
/// it until the next point, with one exception: the task gives the mutex back before its record
/// says so, and the next one may be recorded earlier.
class HoldingFinder {
  public:
    explicit HoldingFinder(Trace &trace) : trace_(trace) {}

    void add(const MutexPoint &point) {
        if (point.mutex != name_ || point.kind == MutexPoint::renew)
            end();
        name_ = point.mutex;
        switch (point.kind) {
        case MutexPoint::renew:
            break;
        case MutexPoint::acquire:
            acquire(point);
            break;
        case MutexPoint::release:
            release(point);
            break;
        }
    }

    /// The mutex is used no more.
    void end() {
        if (held_)
            end_unreleased(trace_.segments_of(holding().task).back().end);
        name_ = mutex_ = kNone;
        late_.clear();
    }

  private:
    Holding &holding() { return trace_.holdings.back(); }

    void acquire(const MutexPoint &point) {
        if (held_) {
            if (holding().task != point.task)
                late_.insert(holding().task);
            end_unreleased(point.time);
        }
        late_.erase(point.task);
        if (mutex_ == kNone)
            mutex_ = mutexes_++;
        trace_.holdings.push_back({point.time, kNever, point.task, point.thread, mutex_});
        held_ = true;
    }

    /// Some programs let another task give the mutex back.
    void release(const MutexPoint &point) {
        if (!held_ || (holding().task != point.task && late_.erase(point.task) != 0))
            return;
        holding().end = point.time;
        held_ = false;
    }

    /// The release may be in a time of which nothing is known.
    void end_unreleased(Time time) {
        const Time gap = next_gap(trace_, holding().thread, holding().begin);
        holding().end = std::max(holding().begin, std::min(time, gap));
        held_ = false;
    }

    Trace &trace_;
    Index name_ = kNone;
    Index mutex_ = kNone; ///< of Trace::holdings; kNone: nobody has had it
    Index mutexes_ = 0;
    bool held_ = false;    ///< the latest holding has no end yet
    std::set<Index> late_; ///< tasks whose release may be recorded after the next task has it
};

} // namespace

void pair_waits(Draft &draft) {
    Trace &trace = draft.trace;
    std::stable_sort(draft.wait_points.begin(), draft.wait_points.end(),
                     [](const WaitPoint &a, const WaitPoint &b) {
                         return a.task != b.task ? a.task < b.task : a.time < b.time;
                     });
    for (auto at = draft.wait_points.begin(); at != draft.wait_points.end(); ++at) {
        if (!at->begins)
            continue;
        const auto next = at + 1;
        const bool ends =
            next != draft.wait_points.end() && next->task == at->task && !next->begins;
        // A wait that lasts to the end of the trace ends with its task.
        const Time last = ends ? next->time : trace.segments_of(at->task).back().end;
        const Time end = std::min(last, next_gap(trace, at->thread, at->time));
        trace.waits.push_back(
            {at->time, std::max(at->time, end), at->task, at->thread, at->what, at->kind});
    }
}

void pair_holdings(Draft &draft) {
    std::vector<MutexPoint> &points = draft.mutex_points;
    std::stable_sort(points.begin(), points.end(), [](const MutexPoint &a, const MutexPoint &b) {
        return std::tie(a.mutex, a.time) < std::tie(b.mutex, b.time);
    });
    HoldingFinder finder(draft.trace);
    for (const MutexPoint &point : points)
        finder.add(point);
    finder.end();
    points = {};
    std::vector<Holding> &all = draft.trace.holdings;
    std::stable_sort(all.begin(), all.end(), [](const Holding &a, const Holding &b) {
        return std::tie(a.task, a.begin) < std::tie(b.task, b.begin);
    });
}

void pair_user_regions(Draft &draft) {
    Trace &trace = draft.trace;
    const auto owner = [&](const UserPoint &point) {
        const bool threads = point.task == kNone || trace.tasks[point.task].implicit;
        return std::pair(threads, threads ? point.thread : point.task);
    };
    std::stable_sort(draft.user_points.begin(), draft.user_points.end(),
                     [&](const UserPoint &a, const UserPoint &b) {
                         return std::pair(owner(a), a.time) < std::pair(owner(b), b.time);
                     });
    std::vector<Index> open; // the owner's
    std::vector<UserRegion> &all = trace.user_regions;
    for (auto at = draft.user_points.begin(); at != draft.user_points.end(); ++at) {
        const bool first = at == draft.user_points.begin() || owner(*std::prev(at)) != owner(*at);
        if (first)
            open.clear();
        const auto same = [&](Index i) { return all[i].kind == at->kind; };
        if (at->for_now && std::any_of(open.begin(), open.end(), same)) {
            for (const Index i : open)
                if (same(i))
                    all[i].end = at->begins ? kNever : at->time;
        } else if (at->begins) {
            open.push_back(static_cast<Index>(all.size()));
            all.push_back({at->time, kNever, at->task, at->thread, at->kind});
        } else if (const auto last = std::find_if(open.rbegin(), open.rend(), same);
                   last != open.rend()) {
            all[*last].end = at->time;
            open.erase(std::next(last).base());
        }
    }
    for (UserRegion &region : all) {
        const bool in_task = region.task != kNone && !trace.tasks[region.task].implicit;
        if (region.end == kNever)
            region.end =
                in_task ? trace.segments_of(region.task).back().end : draft.latest[region.thread];
        region.end = std::max(region.begin, region.end);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const UserRegion &a, const UserRegion &b) { return a.begin < b.begin; });
}

} // namespace loomp::analysis
