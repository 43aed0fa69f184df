#include "mpi/waiting/hang_report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

namespace loomp::mpi {

namespace {

using Kind = PendingCall::Kind;

constexpr std::size_t kGroupsShown = 12;
constexpr std::size_t kCallsShown = 3; ///< of each group
constexpr const char *kBusy = "is not idle, or in a call that loomp does not see";

std::string seconds(std::int64_t nanoseconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", static_cast<double>(nanoseconds) * 1e-9);
    return text;
}

std::string rank_text(int rank) {
    return rank == kAny ? "any rank" : "rank " + std::to_string(rank);
}
std::string tag_text(int tag) { return tag == kAny ? "any tag" : "tag " + std::to_string(tag); }

bool has(const std::vector<int> &list, int number) {
    return std::find(list.begin(), list.end(), number) != list.end();
}

/// A call of a rank.
struct CallOfRank {
    const RankState *state;
    const PendingCall *call;
    bool matched = false; ///< another rank's call has the other end of its message

    int rank() const { return state->rank; }
    bool is(Kind kind) const { return call->kind == kind; }
};

std::string place_of(const PendingCall &call) {
    return call.place + (call.is_outside ? ", outside tasks" : "");
}

/// The call with its place, in parentheses.
std::string named(const CallOfRank &one) {
    return "(" + one.call->name + place_of(*one.call) + ")";
}

/// The message or ranks for which a call waits, from its own rank's view.
std::string envelope(const PendingCall &call) {
    std::string text;
    if (call.peer != kNotKnown)
        text += (call.kind == Kind::send      ? " to "
                 : call.kind == Kind::receive ? " from "
                                              : ", ") +
                rank_text(call.peer);
    if (call.tag != kNotKnown)
        text += ", " + tag_text(call.tag);
    if (!call.comm.empty())
        text += ", " + call.comm;
    return text;
}
std::string direction(const PendingCall &call) { return envelope(call) + call.detail; }

bool tags_fit(int sent, int awaited) {
    return sent == awaited || sent == kNotKnown || awaited == kNotKnown || awaited == kAny;
}
bool communicators_fit(std::uint64_t one, std::uint64_t other) {
    return one == other || one == 0 || other == 0;
}

class Comparison {
  public:
    Comparison(const std::vector<RankState> &states, const JobOfRanks &job, std::int64_t now)
        : states_(states), job_(job), now_(now) {
        for (const RankState &state : states)
            for (const PendingCall &call : state.calls)
                calls_.push_back({&state, &call});
        match_uncertain();
        for (CallOfRank &one : calls_)
            if (one.call->one_of != 0)
                continue; // it may be complete
            else if (one.is(Kind::receive))
                receives_[one.rank()].push_back(&one);
            else if (one.is(Kind::send))
                sends_.push_back(&one);
        match();
    }

    /// The likely cause; empty if none is found. `without_doubt`: only one that no transfer of data
    /// could end.
    std::string cause(bool without_doubt = false) const {
        struct Finder {
            std::string (Comparison::*find)() const;
            bool leaves_doubt;
        };
        // Those that leave less doubt come first.
        constexpr Finder kFinders[] = {{&Comparison::only_lost_event, false},
                                       {&Comparison::ended_rank, false},
                                       {&Comparison::other_tag, false},
                                       {&Comparison::other_communicator, false},
                                       {&Comparison::arrived_with_other_tag, false},
                                       {&Comparison::matched_and_pending, true},
                                       {&Comparison::other_collective, false},
                                       {&Comparison::lock, false},
                                       {&Comparison::finishing_rank, false},
                                       {&Comparison::lost_event, false},
                                       {&Comparison::missing_order, true},
                                       {&Comparison::cycle, false},
                                       {&Comparison::missing_collective, false},
                                       {&Comparison::idle_rank, false},
                                       {&Comparison::useless_wait, false},
                                       {&Comparison::last_rank, false},
                                       {&Comparison::busy_rank, true},
                                       {&Comparison::late_for_collective, true},
                                       {&Comparison::same_collective, true}};
        for (const Finder &one : kFinders)
            if (std::string found = without_doubt && one.leaves_doubt ? "" : (this->*one.find)();
                !found.empty())
                return found;
        return {};
    }

    bool any_outside() const {
        return std::any_of(calls_.begin(), calls_.end(),
                           [](const CallOfRank &one) { return one.call->is_outside; });
    }

    /// The line about what the state of calls does not show; empty if it is unlikely.
    std::string hint(const std::string &cause) const {
        return !cause.empty() && !any_outside() && cause == cycle()
                   ? "loomp:   if steps share a tag, a receive of another step may have taken the "
                     "message: give each step a tag, or the tasks a dependence\n"
                   : std::string();
    }

    std::string groups() const;

  private:
    using Pair = std::pair<CallOfRank *, CallOfRank *>; ///< a send and a receive

    /// Calls found(send, receive) for each unmatched send and each unmatched receive of its target
    /// that takes a message of this rank, until it returns true.
    template <class Found> void each_pair(Found found) const {
        for (CallOfRank *send : sends_) {
            const auto at_target = receives_.find(send->call->peer);
            if (at_target == receives_.end())
                continue;
            for (CallOfRank *receive : at_target->second)
                if (!send->matched && !receive->matched &&
                    (receive->call->peer == send->rank() || receive->call->peer == kAny) &&
                    found(*send, *receive))
                    return;
        }
    }

    /// The first pair that fits; nulls: there is none.
    template <class Fits> Pair first_pair(Fits fits) const {
        Pair pair = {nullptr, nullptr};
        each_pair([&](CallOfRank &send, CallOfRank &receive) {
            if (fits(*send.call, *receive.call))
                pair = {&send, &receive};
            return pair.first != nullptr;
        });
        return pair;
    }

    /// Calls whose other end is one that may be complete, or not: nobody knows.
    void match_uncertain() {
        for (CallOfRank &one : calls_)
            for (CallOfRank &other : calls_)
                if ((one.call->one_of != 0 || other.call->one_of != 0) && one.is(Kind::send) &&
                    other.is(Kind::receive) && fits(one, other))
                    one.matched = other.matched = true;
    }

    static bool fits(const CallOfRank &send, const CallOfRank &receive) {
        const PendingCall &to = *send.call;
        const PendingCall &from = *receive.call;
        return (to.peer == receive.rank() || to.peer == kNotKnown) &&
               (from.peer == send.rank() || from.peer == kAny || from.peer == kNotKnown) &&
               tags_fit(to.tag, from.tag) && communicators_fit(to.members, from.members);
    }

    void match() {
        each_pair([&](CallOfRank &send, CallOfRank &receive) {
            if (tags_fit(send.call->tag, receive.call->tag) &&
                communicators_fit(send.call->members, receive.call->members)) {
                send.matched = receive.matched = true;
                if (first_match_.first == nullptr)
                    first_match_ = {&send, &receive};
            }
            return false;
        });
    }

    const RankState *state_of(int rank) const {
        for (const RankState &state : states_)
            if (state.rank == rank)
                return &state;
        return nullptr;
    }

    /// A call of the same rank may be about to end, and its task to fulfil the event.
    std::string only_lost_event() const {
        for (const RankState &state : states_)
            if (!state.events.empty() && state.calls.empty())
                return rank_text(state.rank) + ": " + state.events.front();
        return {};
    }

    std::string lost_event() const {
        for (const RankState &state : states_)
            if (!state.events.empty())
                return rank_text(state.rank) + ": " + state.events.front();
        return {};
    }

    std::string lock() const {
        for (const RankState &state : states_)
            if (!state.locks.empty())
                return rank_text(state.rank) + ": " + state.locks.front();
        return {};
    }

    /// The call waits for a rank none of whose calls fits.
    static bool is_open(const CallOfRank &one) {
        return !one.matched && one.call->peer >= 0 && one.call->one_of == 0;
    }

    /// False: the rank waits for requests of which nothing is known.
    bool knows_all_of(int rank) const {
        return std::none_of(calls_.begin(), calls_.end(), [&](const CallOfRank &one) {
            return one.rank() == rank && one.is(Kind::other) && one.call->peer == kNotKnown;
        });
    }

    /// The first call of a rank that waits for one of `ranks`.
    const CallOfRank *waits_for_one_of(const std::vector<int> &ranks) const {
        for (const CallOfRank &one : calls_)
            if (is_open(one) && has(ranks, one.call->peer))
                return &one;
        return nullptr;
    }

    std::string ended_rank() const {
        const CallOfRank *one = waits_for_one_of(job_.ended);
        return one == nullptr ? std::string()
                              : rank_text(one->rank()) + " waits for " +
                                    rank_text(one->call->peer) + ", which has ended " + named(*one);
    }

    std::string finishing_rank() const {
        const CallOfRank *one = waits_for_one_of(job_.finishing);
        if (one == nullptr)
            return {};
        return exchange_of(*one) + ", which " + (one->is(Kind::send) ? "receives" : "sends") +
               " nothing more: it is in MPI_Finalize";
    }

    std::string other_tag() const {
        const auto [send, receive] =
            first_pair([](const PendingCall &one, const PendingCall &other) {
                return communicators_fit(one.members, other.members);
            });
        return send == nullptr
                   ? std::string()
                   : rank_text(send->rank()) + " sends " + tag_text(send->call->tag) + " to " +
                         rank_text(receive->rank()) + " " + named(*send) + ", which waits for " +
                         tag_text(receive->call->tag) + " from " + rank_text(receive->call->peer) +
                         " " + named(*receive);
    }

    std::string other_communicator() const {
        const auto [send, receive] =
            first_pair([](const PendingCall &one, const PendingCall &other) {
                return tags_fit(one.tag, other.tag);
            });
        return send == nullptr ? std::string()
                               : rank_text(send->rank()) + " sends " + tag_text(send->call->tag) +
                                     " to " + rank_text(receive->rank()) + " on " +
                                     send->call->comm + " " + named(*send) + ", which waits on " +
                                     receive->call->comm + " " + named(*receive);
    }

    std::string arrived_with_other_tag() const {
        // A message on the receive's own communicator says more than one on another.
        for (const bool same_communicator : {true, false})
            for (const CallOfRank &receive : calls_)
                for (const ArrivedMessage &message : receive.state->arrived) {
                    const bool fits = communicators_fit(message.members, receive.call->members);
                    if (receive.matched || !receive.is(Kind::receive) ||
                        receive.call->one_of != 0 || receive.call->one_of != 0 ||
                        (receive.call->peer != kAny && receive.call->peer != message.from) ||
                        fits != same_communicator ||
                        (!fits && !tags_fit(message.tag, receive.call->tag)))
                        continue;
                    const std::string sender = rank_text(message.from) + " has sent " +
                                               tag_text(message.tag) + " to " +
                                               rank_text(receive.rank());
                    return fits
                               ? sender + ", which waits for " + tag_text(receive.call->tag) +
                                     " from " + rank_text(receive.call->peer) + " " + named(receive)
                               : sender + " on " + message.comm + ", which waits on " +
                                     receive.call->comm + " " + named(receive);
                }
        return {};
    }

    std::string matched_and_pending() const {
        const auto &[send, receive] = first_match_;
        if (send == nullptr)
            return {};
        return rank_text(send->rank()) + " sends " + tag_text(send->call->tag) + " to " +
               rank_text(receive->rank()) + " " + named(*send) + ", which waits for it " +
               named(*receive) + ": their communicators differ, or the library holds the message";
    }

    std::string other_collective() const {
        std::map<std::uint64_t, const CallOfRank *> first; // of each communicator
        for (const CallOfRank &one : calls_) {
            if (!one.is(Kind::collective) || one.call->members == 0)
                continue;
            const CallOfRank &other = *first.emplace(one.call->members, &one).first->second;
            if (other.call->name == one.call->name)
                continue;
            if (one.rank() == other.rank())
                return rank_text(one.rank()) + " is in two collectives of " + one.call->comm +
                       ", whose order nothing gives " + named(other) + ", " + named(one);
            return "ranks are in different collectives of " + one.call->comm + ": " +
                   rank_text(other.rank()) + " " + named(other) + ", " + rank_text(one.rank()) +
                   " " + named(one);
        }
        return {};
    }

    /// The call of `rank` in place of one that another rank awaits, or its end; empty if unknown.
    std::string instead(int rank) const {
        if (has(job_.ended, rank))
            return "it has ended";
        if (has(job_.finishing, rank))
            return "it is in MPI_Finalize";
        for (const CallOfRank &one : calls_)
            if (one.rank() == rank)
                return "it is in " + one.call->name + direction(*one.call) + place_of(*one.call);
        return state_of(rank) != nullptr ? "its threads are idle" : "";
    }

    /// The rank is on this node and is not idle: ranks of other nodes are unknown.
    bool is_busy(int rank) const { return instead(rank).empty() && job_.on_node == job_.size; }

    bool is_in_collective(int rank, std::uint64_t members) const {
        return std::any_of(calls_.begin(), calls_.end(), [&](const CallOfRank &one) {
            return one.rank() == rank && one.is(Kind::collective) && one.call->members == members;
        });
    }

    /// A collective that one of its ranks has not called; `find(rank)` returns what it does
    /// instead, or nothing if that rank is not meant.
    template <class Find> std::string collective_without(Find find) const {
        for (const CallOfRank &one : calls_)
            for (const Members &known : one.state->members)
                for (const int rank : known.ranks) {
                    if (!one.is(Kind::collective) || known.members != one.call->members ||
                        is_in_collective(rank, known.members))
                        continue;
                    if (const std::string does = find(rank); !does.empty())
                        return rank_text(rank) + " has not called the collective of " +
                               one.call->comm + " in which " + rank_text(one.rank()) + " waits " +
                               named(one) + ": " + does;
                }
        return {};
    }
    std::string missing_collective() const {
        return collective_without([this](int rank) { return instead(rank); });
    }
    std::string late_for_collective() const {
        return collective_without(
            [this](int rank) { return is_busy(rank) ? "it " + std::string(kBusy) : ""; });
    }

    std::string missing_order() const {
        std::map<std::tuple<int, Kind, int, int, std::uint64_t>, const CallOfRank *> first;
        for (const CallOfRank &one : calls_) {
            const PendingCall &call = *one.call;
            if ((call.kind == Kind::send || call.kind == Kind::receive) && call.tag >= 0 &&
                !call.is_outside &&
                !first
                     .emplace(std::tuple(one.rank(), call.kind, call.peer, call.tag, call.members),
                              &one)
                     .second)
                return rank_text(one.rank()) + " has several calls" + direction(call) +
                       ", whose order nothing gives " + named(one) +
                       ": give each step a tag, or the tasks a dependence";
        }
        return {};
    }

    /// Follows the ranks for which unmatched calls of `rank` wait. True: `path` is a cycle.
    bool close_cycle(std::vector<const CallOfRank *> &path, std::vector<int> &seen,
                     int rank) const {
        seen.push_back(rank);
        for (const CallOfRank &one : calls_) {
            const int next = one.call->peer;
            if (one.rank() != rank || !is_open(one) || next == rank || state_of(next) == nullptr)
                continue;
            path.push_back(&one);
            const auto begin = std::find_if(path.begin(), path.end(), [&](const auto *earlier) {
                return earlier->rank() == next;
            });
            if (begin != path.end()) {
                path.erase(path.begin(), begin);
                return true;
            }
            if (!has(seen, next) && close_cycle(path, seen, next))
                return true;
            path.pop_back();
        }
        return false;
    }

    std::string cycle() const {
        std::vector<int> seen;
        for (const RankState &state : states_) {
            std::vector<const CallOfRank *> path;
            if (has(seen, state.rank) || !close_cycle(path, seen, state.rank))
                continue;
            std::string text = "ranks wait for each other in a cycle: ";
            for (std::size_t i = 0; i < path.size(); ++i)
                text += (i == 0 ? "" : ", ") + rank_text(path[i]->rank()) + " for " +
                        rank_text(path[i]->call->peer) + " " + named(*path[i]);
            return text;
        }
        return {};
    }

    /// A call for a rank that is idle as well, and makes no call that would end it.
    std::string idle_rank() const {
        for (const CallOfRank &one : calls_)
            if (is_open(one) && state_of(one.call->peer) != nullptr && knows_all_of(one.call->peer))
                return exchange_of(one) + ": no call of " + rank_text(one.call->peer) + " fits" +
                       (one.call->peer == one.rank() ? "" : "; " + instead(one.call->peer));
        return {};
    }

    /// A call that waits for requests, none of which another rank's call fits.
    std::string useless_wait() const {
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            const CallOfRank &first = calls_[i];
            const auto count = static_cast<std::size_t>(first.call->one_of);
            if (count == 0 || count > calls_.size() - i ||
                !std::all_of(&first, &first + count, [&](const CallOfRank &one) {
                    return one.state == first.state && one.call->one_of == first.call->one_of &&
                           !one.matched && one.call->peer >= 0;
                }))
                continue;
            std::string text = rank_text(first.rank()) + " waits for a message";
            for (std::size_t k = 0; k < std::min(count, kCallsShown); ++k)
                text += (k == 0 ? "" : " or") + envelope(*calls_[i + k].call);
            return text + (count > kCallsShown ? " or others " : " ") + named(first) +
                   ": no call of another rank fits";
        }
        return {};
    }

    /// A call while no other rank is left that could make one.
    std::string last_rank() const {
        if (states_.size() != 1 || job_.finishing.empty() || calls_.empty() ||
            job_.finishing.size() + job_.ended.size() + 1 != static_cast<std::size_t>(job_.size))
            return {};
        return instead(states_.front().rank).replace(0, 2, rank_text(states_.front().rank)) +
               ", while all other ranks are in MPI_Finalize";
    }

    std::string same_collective() const {
        for (const CallOfRank &one : calls_)
            if (one.is(Kind::collective))
                return "ranks are in " + one.call->name + " of " + one.call->comm +
                       place_of(*one.call) + ": their arguments differ, or it takes long";
        return {};
    }

    /// A call for a rank of which nothing is known.
    std::string busy_rank() const {
        for (const CallOfRank &one : calls_)
            if (is_open(one) && is_busy(one.call->peer))
                return exchange_of(one) +
                       ", which is not idle, or in a call that loomp does not see";
        return {};
    }

    /// "rank 0 receives from rank 1, tag 7 (MPI_Recv, at ...)"
    static std::string exchange_of(const CallOfRank &one) {
        return rank_text(one.rank()) + (one.is(Kind::send) ? " sends to " : " receives from ") +
               rank_text(one.call->peer) + ", " + tag_text(one.call->tag) + " " + named(one);
    }

    const std::vector<RankState> &states_;
    const JobOfRanks &job_;
    const std::int64_t now_;
    std::vector<CallOfRank> calls_;
    std::map<int, std::vector<CallOfRank *>> receives_; ///< by their ranks
    std::vector<CallOfRank *> sends_;
    Pair first_match_ = {nullptr, nullptr};
};

std::string Comparison::groups() const {
    std::map<std::pair<std::string, std::string>, std::vector<const CallOfRank *>> by_place;
    for (const CallOfRank &one : calls_)
        by_place[{one.call->name, place_of(*one.call)}].push_back(&one);
    std::vector<const decltype(by_place)::value_type *> groups;
    groups.reserve(by_place.size());
    for (const auto &group : by_place)
        groups.push_back(&group);
    std::stable_sort(groups.begin(), groups.end(), [](const auto *one, const auto *other) {
        return one->second.size() < other->second.size();
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(groups.size(), kGroupsShown); ++i) {
        const auto &[key, calls] = *groups[i];
        text += "loomp:   " + std::to_string(calls.size()) + " x " + key.first + key.second + ":";
        std::int64_t since = now_;
        for (const CallOfRank *one : calls)
            since =
                std::min(since, one->call->since == 0 ? one->state->idle_since : one->call->since);
        for (std::size_t k = 0; k < std::min(calls.size(), kCallsShown); ++k)
            text +=
                (k == 0 ? " " : "; ") + rank_text(calls[k]->rank()) + direction(*calls[k]->call);
        text += calls.size() > kCallsShown ? "; ..." : "";
        text += "; for " + seconds(now_ - since) + " s\n";
    }
    if (groups.size() > kGroupsShown)
        text += "loomp:   and calls at " + std::to_string(groups.size() - kGroupsShown) +
                " other places\n";
    return text;
}

std::string list_of(const std::vector<int> &ranks) {
    constexpr std::size_t kShown = 8;
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < std::min(ranks.size(), kShown); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
    return text + (ranks.size() > kShown ? ", ..." : "");
}

/// The lines about ranks without a state.
std::string last_lines(const std::vector<RankState> &states, const JobOfRanks &job) {
    if (job.on_node < job.size)
        return "loomp:   only this node's " + std::to_string(job.on_node) + " ranks, of " +
               std::to_string(job.size) + ", were compared\n";
    std::vector<int> silent;
    for (int rank = 0; rank < job.size; ++rank)
        if (std::none_of(states.begin(), states.end(),
                         [&](const RankState &state) { return state.rank == rank; }) &&
            !has(job.ended, rank) && !has(job.finishing, rank))
            silent.push_back(rank);
    std::string text;
    if (!job.finishing.empty())
        text += "loomp:   in MPI_Finalize: " + list_of(job.finishing) + "\n";
    if (!job.ended.empty())
        text += "loomp:   ended: " + list_of(job.ended) + "\n";
    return text + (silent.empty()
                       ? "loomp:   it is a hang, unless a thread that is not OpenMP's ends it\n"
                       : "loomp:   not idle, or in a call that loomp does not see: " +
                             list_of(silent) + "\n");
}

} // namespace

bool is_explained(const std::vector<RankState> &states, const JobOfRanks &job) {
    return !Comparison(states, job, 0).cause(true).empty();
}

std::string hang_report(const std::vector<RankState> &states, const JobOfRanks &job,
                        std::int64_t now) {
    std::int64_t since = states.front().idle_since;
    for (const RankState &state : states)
        since = std::max(since, state.idle_since);
    const auto count = static_cast<int>(states.size());
    std::string text = "loomp: ";
    if (count == 1)
        text += "rank " + std::to_string(states.front().rank);
    else if (count == job.size)
        text += "all " + std::to_string(count) + " ranks";
    else
        text += std::to_string(count) + " of " + std::to_string(job.size) + " ranks";
    text += std::string(count == 1 ? " has" : " have") + " been idle for " + seconds(now - since) +
            " s";
    const Comparison comparison(states, job, now);
    const std::string cause = comparison.cause();
    const std::string nothing =
        comparison.any_outside() ? "; MPI calls wait" : "; tasks wait in MPI";
    text += (cause.empty() ? nothing : ": " + cause) + "\n";
    int more = 0;
    for (const RankState &state : states) {
        for (const auto *list : {&state.events, &state.locks})
            for (const std::string &line : *list)
                if (const std::string full = rank_text(state.rank) + ": " + line; full != cause)
                    text += "loomp:   " + full + "\n";
        more += state.more_calls;
    }
    text += comparison.hint(cause) + comparison.groups();
    if (more > 0)
        text += "loomp:   and " + std::to_string(more) + " more calls\n";
    return text + last_lines(states, job);
}

} // namespace loomp::mpi
