#include "analysis/program.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
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
    Time since_ = std::numeric_limits<Time>::min();
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
        gather();
        for (Index task = 0; task < program_.tasks; ++task)
            add_task(task);
        add_threads();
        program_.first_step.push_back(static_cast<Index>(program_.steps.size()));
        measure_overhead();
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

    bool by_thread(const Task &task) const {
        return task.parent == kNone || trace_.tasks[task.parent].implicit;
    }

    /// The explicit tasks, by the activity that created them, in order of time.
    void sort_creations() {
        for (Index i = 0; i < program_.tasks; ++i) {
            const Task &task = trace_.tasks[i];
            if (!task.implicit && task.created != kNever)
                creations_.push_back(
                    {by_thread(task) ? program_.tasks + task.creator : task.parent, i});
        }
        std::sort(creations_.begin(), creations_.end(), [&](const Creation &a, const Creation &b) {
            if (a.by != b.by)
                return a.by < b.by;
            const Time first = trace_.tasks[a.task].created;
            const Time second = trace_.tasks[b.task].created;
            return first != second ? first < second : a.task < b.task;
        });
    }

    Index activity_of(const Wait &wait) const {
        return trace_.tasks[wait.task].implicit ? program_.tasks + wait.thread : wait.task;
    }

    Index add_gathering(bool barrier) {
        program_.gatherings.push_back(0);
        program_.barrier.push_back(barrier);
        return static_cast<Index>(program_.gatherings.size() - 1);
    }

    void gather() {
        program_.child_of.assign(program_.tasks, kNone);
        program_.member_of.assign(program_.tasks, kNone);
        gathering_of_.assign(trace_.waits.size(), kNone);
        waits_.resize(trace_.waits.size());
        std::iota(waits_.begin(), waits_.end(), 0);
        std::sort(waits_.begin(), waits_.end(),
                  [&](Index a, Index b) { return trace_.waits[a].begin < trace_.waits[b].begin; });
        gather_children();
        gather_in_barriers();
        std::stable_sort(waits_.begin(), waits_.end(), [&](Index a, Index b) {
            return activity_of(trace_.waits[a]) < activity_of(trace_.waits[b]);
        });
    }

    /// Counts tasks, in order of creation, for the gathering of a wait, as far as they had ended.
    class Gathered {
      public:
        Gathered(const Trace &trace, std::vector<Index> tasks)
            : trace_(&trace), tasks_(std::move(tasks)) {}

        Index take(Time from, Time to, Index gathering, std::vector<Index> &gathering_of) {
            while (next_ < tasks_.size() && trace_->tasks[tasks_[next_]].created <= from)
                open_.push_back(tasks_[next_++]);
            const auto ended = std::stable_partition(open_.begin(), open_.end(), [&](Index task) {
                return trace_->tasks[task].ended > to;
            });
            const auto count = static_cast<Index>(open_.end() - ended);
            for (auto task = ended; task != open_.end(); ++task)
                gathering_of[*task] = gathering;
            open_.erase(ended, open_.end());
            return count;
        }

      private:
        const Trace *trace_;
        std::vector<Index> tasks_;
        std::size_t next_ = 0;
        std::vector<Index> open_; ///< had not ended before any wait did
    };

    void gather_children() {
        std::unordered_map<Index, Gathered> children;
        for (const Index wait : waits_) {
            const Wait &of = trace_.waits[wait];
            if (of.what != WaitFor::tasks)
                continue;
            const Index activity = activity_of(of);
            auto place = children.find(activity);
            if (place == children.end()) {
                const auto [first, last] = std::equal_range(
                    creations_.begin(), creations_.end(), Creation{activity, kNone},
                    [](const Creation &a, const Creation &b) { return a.by < b.by; });
                std::vector<Index> tasks;
                for (auto creation = first; creation != last; ++creation)
                    tasks.push_back(creation->task);
                place = children.try_emplace(activity, trace_, std::move(tasks)).first;
            }
            const Index gathering = add_gathering(false);
            program_.gatherings[gathering] =
                place->second.take(of.begin, of.end, gathering, program_.child_of);
            gathering_of_[wait] = gathering;
        }
    }

    /// Waits of several threads of a rank are one barrier if there is a time when they are all in.
    void gather_in_barriers() {
        std::vector<std::vector<Index>> created(trace_.ranks);
        for (const Creation &of : creations_)
            created[trace_.tasks[of.task].rank].push_back(of.task);
        std::vector<std::vector<Index>> waits(trace_.ranks);
        for (const Index wait : waits_)
            if (trace_.waits[wait].what == WaitFor::team)
                waits[trace_.tasks[trace_.waits[wait].task].rank].push_back(wait);
        for (Index rank = 0; rank < trace_.ranks; ++rank) {
            std::sort(created[rank].begin(), created[rank].end(), [&](Index a, Index b) {
                return trace_.tasks[a].created < trace_.tasks[b].created;
            });
            Gathered tasks(trace_, std::move(created[rank]));
            for (std::size_t i = 0; i < waits[rank].size();) {
                const std::size_t first = i;
                std::unordered_set<Index> met;
                Interval all{0, kNever}; // when all are in it
                for (; i < waits[rank].size(); ++i) {
                    const Wait &of = trace_.waits[waits[rank][i]];
                    if (of.begin > all.end || !met.insert(activity_of(of)).second)
                        break;
                    all = {of.begin, std::min(all.end, of.end)};
                }
                const Index gathering = add_gathering(true);
                program_.gatherings[gathering] =
                    tasks.take(all.begin, all.end, gathering, program_.member_of) +
                    static_cast<Index>(i - first);
                for (std::size_t wait = first; wait < i; ++wait)
                    gathering_of_[waits[rank][wait]] = gathering;
            }
        }
    }

    std::span<const Index> take_waits(Index activity) {
        const std::size_t first = next_wait_;
        while (next_wait_ < waits_.size() &&
               activity_of(trace_.waits[waits_[next_wait_]]) == activity)
            ++next_wait_;
        return std::span(waits_).subspan(first, next_wait_ - first);
    }

    std::span<const Index> take_creations(Index activity) {
        created_.clear();
        for (; next_ < creations_.size() && creations_[next_].by == activity; ++next_)
            created_.push_back(creations_[next_].task);
        return created_;
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
        call_indices_.clear();
        for (const Call &call : calls)
            call_indices_.push_back(static_cast<Index>(&call - trace_.calls.data()));
        add_steps(meter, take_creations(task), call_indices_, take_waits(task));
        if (!segments.empty())
            add_code(meter.up_to(segments.back().end));
    }

    /// What threads did outside of explicit tasks.
    void add_threads() {
        std::vector<std::vector<Interval>> busy(trace_.threads.size());
        std::vector<std::vector<Interval>> implicit(trace_.threads.size());
        std::vector<std::vector<Index>> calls(trace_.threads.size());
        for (Index task = 0; task < program_.tasks; ++task) {
            auto &threads = trace_.tasks[task].implicit ? implicit : busy;
            for (const Segment &segment : trace_.segments_of(task))
                threads[segment.thread].push_back({segment.begin, segment.end});
            if (!trace_.tasks[task].implicit)
                continue;
            for (const Call &call : trace_.calls_of(task))
                calls[call.thread].push_back(static_cast<Index>(&call - trace_.calls.data()));
        }
        std::vector<std::vector<Index>> created(trace_.threads.size());
        Time origin = kNever; // the first step of all
        for (Index thread = 0; thread < trace_.threads.size(); ++thread) {
            const auto creations = take_creations(program_.tasks + thread);
            created[thread].assign(creations.begin(), creations.end());
            std::sort(calls[thread].begin(), calls[thread].end(), [&](Index a, Index b) {
                return trace_.calls[a].begin < trace_.calls[b].begin;
            });
            if (!creations.empty())
                origin = std::min(origin, trace_.tasks[creations.front()].created);
            if (!calls[thread].empty())
                origin = std::min(origin, trace_.calls[calls[thread].front()].begin);
        }
        for (Index thread = 0; thread < trace_.threads.size(); ++thread) {
            begin_activity(trace_.threads[thread].rank);
            Meter meter(outside(with_gaps(std::move(busy[thread]), std::move(implicit[thread]))));
            meter.up_to(origin);
            add_steps(meter, created[thread], calls[thread], take_waits(program_.tasks + thread));
        }
    }

    /// A thread in no task at all, between two regions, does nothing of its own.
    static std::vector<Interval> with_gaps(std::vector<Interval> busy,
                                           std::vector<Interval> implicit) {
        if (implicit.empty())
            return busy;
        implicit.insert(implicit.end(), busy.begin(), busy.end());
        const std::vector<Interval> present = unite(std::move(implicit));
        for (std::size_t i = 1; i < present.size(); ++i)
            busy.push_back({present[i - 1].end, present[i].begin});
        return busy;
    }

    static std::vector<Interval> outside(std::vector<Interval> busy) {
        std::sort(busy.begin(), busy.end(),
                  [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
        std::vector<Interval> free;
        Time from = std::numeric_limits<Time>::min();
        for (const Interval &of : busy) {
            if (of.begin > from)
                free.push_back({from, of.begin});
            from = std::max(from, of.end);
        }
        free.push_back({from, kNever});
        return free;
    }

    /// All in order of time.
    void add_steps(Meter &meter, std::span<const Index> created, std::span<const Index> calls,
                   std::span<const Index> waits) {
        while (!created.empty() || !calls.empty() || !waits.empty()) {
            const Time creates = created.empty() ? kNever : trace_.tasks[created.front()].created;
            const Time call = calls.empty() ? kNever : trace_.calls[calls.front()].begin;
            const Time wait = waits.empty() ? kNever : trace_.waits[waits.front()].begin;
            if (creates <= std::min(call, wait)) {
                add_code(meter.up_to(creates));
                program_.steps.push_back({.what = created.front(), .kind = Step::create});
                created = created.subspan(1);
            } else if (call <= wait) {
                add_call(meter, trace_.calls[calls.front()]);
                calls = calls.subspan(1);
            } else {
                add_code(meter.up_to(wait));
                meter.up_to(trace_.waits[waits.front()].end);
                program_.steps.push_back(
                    {.what = gathering_of_[waits.front()], .kind = Step::wait});
                waits = waits.subspan(1);
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

    void add_call(Meter &meter, const Call &call) {
        add_code(meter.up_to(call.begin));
        const Time cost = meter.up_to(call.end);
        const auto changes = trace_.changes_of(call);
        if (std::none_of(changes.begin(), changes.end(), [&](const Change &change) {
                return change.completes && waits(change.request);
            }))
            add_code(cost);
        for (const bool second : {false, true})
            for (const Change &change : changes)
                if (change.completes == second)
                    program_.steps.push_back(
                        {.what = change.request, .kind = second ? Step::complete : Step::start});
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
        std::vector<Time> meetings;
        for (const std::vector<Index> &collective : trace_.collectives)
            for (const Index request : collective)
                if (trace_.requests[request].completed != kNever)
                    meetings.push_back(
                        std::max<Time>(0, trace_.requests[request].completed - met(request)));
        program_.collective_time = quantile(meetings, kLow);
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
        std::vector<Time> gaps;
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
                if (!creates)
                    gaps.push_back(after.begin - std::max(before.end, after.ready));
            }
        }
        program_.task_overhead = gaps.empty() ? 0
                                              : std::accumulate(gaps.begin(), gaps.end(), Time{0}) /
                                                    static_cast<Time>(gaps.size());
    }

    struct Creation {
        Index by; ///< activity
        Index task;
    };
    static constexpr double kLow = 0.25;

    const Trace &trace_;
    Program program_;
    std::vector<Creation> creations_;
    std::size_t next_ = 0;            ///< of them
    std::vector<Index> waits_;        ///< of Trace::waits, by activity, in order of time
    std::vector<Index> gathering_of_; ///< of each of Trace::waits
    std::size_t next_wait_ = 0;
    std::vector<Index> created_;
    std::vector<Index> call_indices_;
};

} // namespace

const Transfers &Program::transfers_of(std::uint64_t bytes) const {
    return transfers[static_cast<std::size_t>(std::bit_width(bytes))];
}

Program make_program(const Trace &trace) { return Maker(trace).make(); }

} // namespace loomp::analysis
