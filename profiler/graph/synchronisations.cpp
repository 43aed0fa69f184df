#include "profiler/graph/synchronisations.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

/// One creator's are usually in order.
void sort_by_creation(const Trace &trace, std::vector<Index> &tasks) {
    const auto before = [&](Index a, Index b) {
        return trace.tasks[a].created < trace.tasks[b].created;
    };
    if (!std::is_sorted(tasks.begin(), tasks.end(), before))
        std::stable_sort(tasks.begin(), tasks.end(), before);
}

/// Tasks without a wait so far, in order of creation. The first wait that ends after a task's end
/// takes it.
class Pending {
  public:
    void add(Index task) { tasks_.push_back(task); }
    void sort(const Trace &trace) { sort_by_creation(trace, tasks_); }

    /// Enters `synchronisation` for those that had been created by `created` and had ended by
    /// `ended`.
    Index take(const Trace &trace, Time created, Time ended, Index synchronisation,
               std::vector<Index> &synchronisation_of) {
        while (next_ < tasks_.size() && trace.tasks[tasks_[next_]].created <= created)
            open_.push_back(tasks_[next_++]);
        const auto done = std::stable_partition(open_.begin(), open_.end(), [&](Index task) {
            return trace.tasks[task].ended > ended;
        });
        const auto count = static_cast<Index>(open_.end() - done);
        for (auto task = done; task != open_.end(); ++task)
            synchronisation_of[*task] = synchronisation;
        open_.erase(done, open_.end());
        return count;
    }

  private:
    std::vector<Index> tasks_;
    std::size_t next_ = 0;
    std::vector<Index> open_; ///< created, and had not ended before any wait did
};

class SynchronisationFinder {
  public:
    SynchronisationFinder(const Trace &trace, const std::vector<std::vector<Interval>> &present)
        : trace_(trace), present_(present) {}

    Synchronisations find() {
        found_.child_of.assign(trace_.tasks.size(), kNone);
        found_.member_of.assign(trace_.tasks.size(), kNone);
        found_.group_of.assign(trace_.tasks.size(), kNone);
        found_.of_wait.assign(trace_.waits.size(), kNone);
        found_.begins.resize(trace_.threads.size());
        found_.forks.resize(trace_.threads.size());
        std::vector<Index> waits(trace_.waits.size());
        std::iota(waits.begin(), waits.end(), 0);
        std::stable_sort(waits.begin(), waits.end(), [&](Index a, Index b) {
            return trace_.waits[a].begin < trace_.waits[b].begin;
        });
        add_undeferred(waits);
        add_taskwaits(waits);
        add_nested_regions(waits);
        add_descendants(waits);
        add_barriers(waits);
        add_regions(waits);
        return std::move(found_);
    }

  private:
    bool is_created(Index task) const {
        return !trace_.tasks[task].implicit && trace_.tasks[task].created != kNever;
    }
    static bool is_for_tasks(const Wait &wait) {
        return wait.what == WaitFor::tasks || wait.what == WaitFor::group;
    }

    Index add(Synchronisation synchronisation) {
        found_.all.push_back(synchronisation);
        return static_cast<Index>(found_.all.size() - 1);
    }

    void add_undeferred(const std::vector<Index> &waits) {
        for (const Index wait : waits)
            if (const Wait &waited = trace_.waits[wait]; waited.what == WaitFor::undeferred)
                found_.of_wait[wait] = found_.child_of[waited.undeferred] =
                    add({.missing = 1, .undeferred = waited.undeferred});
    }

    /// The children of the activities whose waits `wanted` selects, if `takes` selects the task.
    template <class Wanted, class Takes>
    std::unordered_map<Index, Pending> children_of(Wanted wanted, Takes takes) const {
        std::unordered_map<Index, Pending> children;
        for (const Wait &wait : trace_.waits)
            if (wanted(wait))
                children.try_emplace(activity_of(trace_, wait));
        for (Index task = 0; task < trace_.tasks.size() && !children.empty(); ++task)
            if (is_created(task) && takes(task))
                if (const auto found = children.find(creator_of(trace_, task));
                    found != children.end())
                    found->second.add(task);
        for (auto &[activity, tasks] : children)
            tasks.sort(trace_);
        return children;
    }

    void add_taskwaits(const std::vector<Index> &waits) {
        auto children =
            children_of(is_for_tasks, [&](Index task) { return found_.child_of[task] == kNone; });
        for (const Index wait : waits) {
            const Wait &waited = trace_.waits[wait];
            if (!is_for_tasks(waited))
                continue;
            const Index synchronisation = found_.of_wait[wait] = add({});
            found_.all[synchronisation].missing =
                children.at(activity_of(trace_, waited))
                    .take(trace_, waited.begin, waited.end, synchronisation, found_.child_of);
        }
    }

    void add_nested_regions(const std::vector<Index> &waits) {
        std::map<std::pair<Index, Time>, Index> met; // by the task and the region's begin
        for (const Index wait : waits)
            if (const Wait &waited = trace_.waits[wait]; waited.what == WaitFor::region)
                met[{waited.task, waited.begin}] = found_.of_wait[wait] = add({});
        for (Index task = 0; task < trace_.tasks.size() && !met.empty(); ++task) {
            const Task &member = trace_.tasks[task];
            if (!member.implicit || !member.works())
                continue;
            if (const auto region = met.find({member.parent, member.created});
                region != met.end()) {
                found_.child_of[task] = region->second;
                ++found_.all[region->second].missing;
            }
        }
    }

    /// The end of a taskgroup also waits for the descendants of its tasks, undeferred ones
    /// included.
    void add_descendants(const std::vector<Index> &waits) {
        std::vector<Time> end_of_group(found_.all.size(), kNever); // kNever: another's
        std::vector<Index> group(trace_.tasks.size(), kNone);      // the taskgroup of each task
        const auto ends_group = [](const Wait &wait) { return wait.what == WaitFor::group; };
        auto undeferred = children_of(ends_group, [&](Index task) {
            return found_.child_of[task] != kNone &&
                   found_.all[found_.child_of[task]].undeferred == task;
        });
        if (undeferred.empty())
            return;
        for (const Index wait : waits)
            if (const Wait &waited = trace_.waits[wait]; ends_group(waited)) {
                end_of_group[found_.of_wait[wait]] = waited.end;
                undeferred.at(activity_of(trace_, waited))
                    .take(trace_, waited.begin, waited.end, found_.of_wait[wait], group);
            }
        std::vector<Index> by_creation;
        for (Index task = 0; task < trace_.tasks.size(); ++task)
            if (trace_.tasks[task].works() && trace_.tasks[task].created != kNever)
                by_creation.push_back(task);
        sort_by_creation(trace_, by_creation);
        for (const Index task : by_creation) {
            const Index waited_by = found_.child_of[task];
            if (waited_by != kNone && end_of_group[waited_by] != kNever)
                group[task] = waited_by;
            if (group[task] != kNone)
                continue;
            const Index parent = trace_.tasks[task].parent;
            group[task] = parent == kNone ? kNone : group[parent];
            // Its parent's wait is before the parent's end, for which the group waits.
            if (group[task] == kNone || waited_by != kNone ||
                trace_.tasks[task].ended > end_of_group[group[task]])
                continue;
            found_.group_of[task] = group[task];
            ++found_.all[group[task]].missing;
        }
    }

    /// A team is known by its rank and its region. An initial task has no region, and is a team of
    /// its own (numbered from the greatest downwards). If the rank has no regions, or was not
    /// recorded all the time, those without one count as one team.
    using Team = std::pair<Index, std::uint64_t>;

    void find_teams() {
        has_regions_.assign(trace_.ranks, false);
        for (const Construct &construct : trace_.constructs)
            if (construct.what == ConstructKind::parallel && construct.region != 0) {
                region_of_[construct.task] = construct.region;
                has_regions_[trace_.threads[construct.thread].rank] = true;
            }
        for (const Unrecorded &gap : trace_.unrecorded)
            has_regions_[trace_.threads[gap.thread].rank] = false;
        // The walk up ends at a task whose implicit task is known, so all walks take linear time. A
        // damaged trace may have a cycle of parents, which has none.
        constexpr Index kUnknown = kNone - 1;
        implicit_of_.assign(trace_.tasks.size(), kUnknown);
        std::vector<Index> path;
        for (Index task = 0; task < trace_.tasks.size(); ++task) {
            Index top = task;
            for (; top != kNone && implicit_of_[top] == kUnknown; top = trace_.tasks[top].parent) {
                implicit_of_[top] = trace_.tasks[top].implicit ? top : kNone;
                if (trace_.tasks[top].implicit)
                    break;
                path.push_back(top);
            }
            const Index found = top == kNone ? kNone : implicit_of_[top];
            for (; !path.empty(); path.pop_back())
                implicit_of_[path.back()] = found;
        }
    }

    /// The team of a task is that of the implicit task from which it descends.
    Team team_of(Index task) const {
        const Index implicit = implicit_of_[task];
        const Index rank = trace_.tasks[task].rank;
        const auto region = region_of_.find(implicit);
        if (region != region_of_.end())
            return {rank, region->second};
        const bool initial = implicit != kNone && has_regions_[rank];
        return {rank, initial ? ~std::uint64_t{implicit} : 0};
    }

    /// Waits of several members of a team are one barrier if these members wait at one time.
    void add_barriers(const std::vector<Index> &waits) {
        find_teams();
        struct Members {
            std::vector<Index> waits;
            Pending tasks;
        };
        std::map<Team, Members> teams;
        for (const Index wait : waits)
            if (trace_.waits[wait].what == WaitFor::team)
                teams[team_of(trace_.waits[wait].task)].waits.push_back(wait);
        for (Index task = 0; task < trace_.tasks.size() && !teams.empty(); ++task)
            if (is_created(task))
                if (const auto team = teams.find(team_of(task)); team != teams.end())
                    team->second.tasks.add(task);
        for (auto &[team, members] : teams) {
            members.tasks.sort(trace_);
            for (std::size_t i = 0; i < members.waits.size();) {
                const std::size_t first = i;
                std::unordered_set<Index> met;
                Interval all{0, kNever}; // the time when all are in it
                for (; i < members.waits.size(); ++i) {
                    const Wait &wait = trace_.waits[members.waits[i]];
                    if (wait.begin > all.end || !met.insert(activity_of(trace_, wait)).second)
                        break;
                    all = {wait.begin, std::min(all.end, wait.end)};
                }
                const Index synchronisation = add({.counted = true});
                found_.all[synchronisation].missing =
                    members.tasks.take(trace_, all.end, all.end, synchronisation,
                                       found_.member_of) +
                    static_cast<Index>(i - first);
                for (std::size_t wait = first; wait < i; ++wait)
                    found_.of_wait[members.waits[wait]] = synchronisation;
            }
        }
    }

    void add_regions(const std::vector<Index> &waits) {
        std::vector<std::vector<Interval>> waiting(present_.size());
        for (const Index wait : waits)
            if (const Wait &ended = trace_.waits[wait];
                !trace_.tasks[ended.task].works() && ended.what != WaitFor::mutex)
                waiting[ended.thread].push_back({ended.begin, ended.end});
        sort_by_arrival();
        for (Index thread = 0; thread < present_.size(); ++thread)
            for (const Interval &stay : present_[thread]) {
                const Index from = longest_present(trace_.threads[thread].rank, stay.begin);
                if (from == kNone || from == thread)
                    continue;
                const Index synchronisation = add({.missing = 1});
                found_.begins[thread].push_back({stay.begin, synchronisation});
                found_.forks[from].push_back({before(waiting[from], stay.begin), synchronisation});
            }
        for (auto &forks : found_.forks)
            std::sort(forks.begin(), forks.end(),
                      [](const auto &a, const auto &b) { return a.time < b.time; });
    }

    /// A thread whose region begins late, when its parent already waits, was forked before.
    static Time before(const std::vector<Interval> &waits, Time time) {
        const auto after =
            std::upper_bound(waits.begin(), waits.end(), time,
                             [](Time t, const Interval &wait) { return t < wait.begin; });
        return after != waits.begin() && std::prev(after)->end > time ? std::prev(after)->begin
                                                                      : time;
    }

    void sort_by_arrival() {
        arrivals_.resize(trace_.ranks);
        for (Index thread = 0; thread < present_.size(); ++thread)
            if (!present_[thread].empty())
                arrivals_[trace_.threads[thread].rank].push_back(thread);
        for (std::vector<Index> &of_rank : arrivals_)
            std::stable_sort(of_rank.begin(), of_rank.end(), [&](Index a, Index b) {
                return present_[a].front().begin < present_[b].front().begin;
            });
    }

    /// Chooses among the rank's threads that are in a task the one that has been in it longest.
    /// This is usually the first candidate, which has been in one since the beginning.
    Index longest_present(Index rank, Time time) const {
        Index found = kNone;
        Time since = kNever;
        for (const Index thread : arrivals_[rank]) {
            const auto &stays = present_[thread];
            if (stays.front().begin >= since)
                break;
            const auto after =
                std::upper_bound(stays.begin(), stays.end(), time,
                                 [](Time t, const Interval &stay) { return t < stay.begin; });
            if (after == stays.begin() || std::prev(after)->end < time)
                continue;
            if (std::prev(after)->begin < since) {
                since = std::prev(after)->begin;
                found = thread;
            }
        }
        return found;
    }

    const Trace &trace_;
    const std::vector<std::vector<Interval>> &present_;
    std::unordered_map<Index, std::uint64_t> region_of_; ///< the region of each implicit task
    std::vector<bool> has_regions_;            ///< whether all of a rank's regions are known
    std::vector<Index> implicit_of_;           ///< the implicit task from which each one descends
    std::vector<std::vector<Index>> arrivals_; ///< each rank's threads, the first to come first
    Synchronisations found_;
};

} // namespace

Index activity_of(const Trace &trace, const Wait &wait) {
    return trace.tasks[wait.task].works() ? wait.task
                                          : static_cast<Index>(trace.tasks.size()) + wait.thread;
}

Grouped fulfilments_of_activities(const Trace &trace) {
    if (trace.fulfilments.empty())
        return {};
    std::vector<Index> all(trace.fulfilments.size());
    std::iota(all.begin(), all.end(), 0);
    return {std::move(all), trace.tasks.size() + trace.threads.size(),
            [&](Index i) {
                const Fulfilment &fulfilment = trace.fulfilments[i];
                return trace.tasks[fulfilment.by].works()
                           ? fulfilment.by
                           : static_cast<Index>(trace.tasks.size()) + fulfilment.thread;
            },
            [](Index a, Index b) { return a < b; }};
}

Index creator_of(const Trace &trace, Index task) {
    const Task &child = trace.tasks[task];
    const bool by_thread = child.parent == kNone || !trace.tasks[child.parent].works();
    return by_thread ? static_cast<Index>(trace.tasks.size()) + child.creator : child.parent;
}

std::vector<std::vector<Interval>> presence_of_threads(const Trace &trace) {
    std::vector<bool> own(trace.threads.size(), false);
    for (const Segment &segment : trace.segments)
        if (!trace.tasks[segment.task].works())
            own[segment.thread] = true;
    std::vector<std::vector<Interval>> present(trace.threads.size());
    for (Index thread = 0; thread < present.size(); ++thread) {
        if (!own[thread])
            continue;
        for (const Index i : trace.segments_on(thread))
            add_to(present[thread], {trace.segments[i].begin, trace.segments[i].end});
    }
    // A task keeps its thread while it waits for a mutex.
    for (const Wait &wait : trace.waits)
        if (wait.what == WaitFor::mutex && own[wait.thread])
            present[wait.thread].push_back({wait.begin, wait.end});
    for (std::vector<Interval> &of_thread : present)
        of_thread = unite(std::move(of_thread));
    return present;
}

Synchronisations find_synchronisations(const Trace &trace,
                                       const std::vector<std::vector<Interval>> &present) {
    return SynchronisationFinder(trace, present).find();
}

} // namespace loomp::analysis
