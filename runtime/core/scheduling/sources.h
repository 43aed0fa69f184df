// The sources of work: all places where a worker that has no task finds one, as one table
// (FreshSources, below).
//
// A source is a type with
//   kMark      the mark in Team::unusual that the team gets before its first such task, or
//              Team::kAlways
//   take()     a task for the member, or null
//   visible()  whether take() may find one; exact enough to decide on sleeping
//
// Invariant: as long as take() would succeed, visible() is true. A worker takes and looks by the
// same table, so no source is left out of one of the two. A queue's mark is set before its task is
// published, and the notification follows: a sleeper that is not notified sees both in its last
// look (platform/futex.h). A worker that reads an old mark looks again before it sleeps.
//
// Thread safety: the member's own thread takes and looks.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/named_queues.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"
#include "runtime/core/team/victims.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

template <class S>
concept Source = requires(Worker &worker, Member &member, const Member &looking) {
    { S::kMark } -> std::convertible_to<std::uint32_t>;
    { S::take(worker, member) } -> std::same_as<Task *>;
    { S::visible(looking) } -> std::same_as<bool>;
};

/// Several sources in the order in which they are asked, as one.
template <Source... Each> struct Sources {
    static constexpr std::uint32_t kMark = (Each::kMark | ...);

    LOOMP_INLINE static Task *take(Worker &worker, Member &member) {
        Task *task = nullptr;
        (void)((is_met<Each>(member) && (task = Each::take(worker, member)) != nullptr) || ...);
        return task;
    }
    LOOMP_INLINE static bool visible(const Member &member) {
        return ((is_met<Each>(member) && Each::visible(member)) || ...);
    }
    /// Calls `f` with each source as its template argument.
    template <class F> static void for_each(F f) { (f.template operator()<Each>(), ...); }

  private:
    template <class S> LOOMP_INLINE static bool is_met(const Member &member) {
        if constexpr ((S::kMark & Team::kAlways) != 0)
            return true;
        else
            return LOOMP_UNLIKELY(member.team->has_met(S::kMark));
    }
};

/// Sources that few programs have: one test of the team's marks for all of them.
template <Source... Each> struct RareSources : Sources<Each...> {
    LOOMP_NOINLINE static Task *take(Worker &worker, Member &member) {
        Task *task = Sources<Each...>::take(worker, member);
        // The worker runs another task than the one that it kept.
        if (task != nullptr)
            offer_next_task(member);
        return task;
    }
    LOOMP_NOINLINE static bool visible(const Member &member) {
        return Sources<Each...>::visible(member);
    }
};

/// The successor that the worker kept when it completed its last task, and the member's own deque.
struct OwnTasks {
    static constexpr std::uint32_t kMark = Team::kAlways;
    /// Takes one for a worker that does not look any further.
    LOOMP_INLINE static Task *take_own(Member &member) {
        if (Task *task = member.successor_slot) {
            member.successor_slot = nullptr;
            return task;
        }
        if (LOOMP_UNLIKELY(oldest_first))
            return take_oldest(member.ready);
        // In a team of one thread, which never had others, nobody else looks into the queue.
        return member.alone ? member.ready.take_unshared() : member.ready.take();
    }
    LOOMP_INLINE static Task *take(Worker &worker, Member &member) {
        if (Task *task = take_own(member))
            return task;
        // The worker looks beyond its own queue next.
        flush_completions(worker);
        return nullptr;
    }
    static bool visible(const Member &member) {
        return member.successor_slot != nullptr || !member.ready.looks_empty();
    }

  private:
    LOOMP_NOINLINE static Task *take_oldest(TaskDeque &own) {
        while (!own.looks_empty())
            if (Task *task = own.steal())
                return task;
        return nullptr;
    }
};

/// The deques of the other members, the nearest first.
struct OthersTasks {
    static constexpr std::uint32_t kMark = Team::kAlways;
    LOOMP_NOINLINE static Task *take(Worker &worker, Member &member) {
        if (member.team->size < 2)
            return nullptr;
        // A victim's task may go to somebody else meanwhile: then there may be others. Where many
        // look, those that come too late wait for their next turn.
        while (Member *victim = nearest_victim(worker, member)) {
            if (Task *task = victim->ready.steal()) {
                ++worker.discovery.steals;
                member.late_steals = 0;
                bring_more(victim->ready, member);
                return task;
            }
            if (is_large(*member.team)) {
                ++member.late_steals;
                break;
            }
        }
        return nullptr;
    }
    static bool visible(const Member &member) {
        const Team &team = *member.team;
        for (int i = 0; i < team.size; ++i)
            if (!team.members[i]->ready.looks_empty())
                return true;
        return false;
    }

  private:
    /// If many tasks wait, taking some more at once saves the next steals: each one alone would
    /// take the line with the queue's ends from its owner again.
    LOOMP_INLINE static void bring_more(TaskDeque &from, Member &thief) {
        constexpr std::int64_t many = 32;
        constexpr int some = 7;
        if (from.size_hint() < many)
            return;
        for (int i = 0; i < some; ++i) {
            Task *task = from.steal();
            if (task == nullptr)
                break;
            thief.ready.push(task);
        }
        // A thread whose last look came between a theft and the push did not see that task.
        thief.team->event.notify_one();
    }
};

/// A list of the team, first come, first served.
template <auto kList, std::uint32_t kMarkOfList> struct TeamList {
    static constexpr std::uint32_t kMark = kMarkOfList;
    static Task *take(Worker &, Member &member) { return (member.team->*kList).pop(); }
    static bool visible(const Member &member) { return !(member.team->*kList).looks_empty(); }
};
using TargetTasks = TeamList<&Team::targets, Team::kTargets>;
/// Tasks made ready by threads outside the team.
using InboxTasks = TeamList<&Team::inbox, Team::kInbox>;
/// Ready tasks that were set aside because no stack was free.
using UnstartedTasks = TeamList<&Team::unstarted, Team::kUnstarted>;

// --- The table ---------------------------------------------------------------------------------

/// A task with a priority, or one in a queue with a name that the worker looks into first.
using SourcesBeforeOwn = RareSources<PrioritizedTasks, //
                                     NamedFirst>;
using FreshSources = Sources<SourcesBeforeOwn, //
                             OwnTasks,         //
                             RareSources<GatheredTasks, TargetTasks, PlacedTasks, InboxTasks>,
                             OthersTasks, //
                             RareSources<NamedLast>>;
using AllSources = Sources<FreshSources, UnstartedTasks>;

} // namespace loomp::core
