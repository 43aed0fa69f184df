#include "profiler/build/matching.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

bool is_send(const Request &request) {
    return request.kind == RequestKind::send || request.kind == RequestKind::synchronous_send;
}

/// The times when ranks were recorded.
class Sections {
  public:
    explicit Sections(const Trace &trace) : gaps_(trace.ranks), finalized_(trace.ranks, false) {
        for (const Unrecorded &gap : trace.unrecorded)
            gaps_[trace.threads[gap.thread].rank].push_back(gap.time);
        for (std::vector<Interval> &gaps : gaps_)
            gaps = unite(std::move(gaps));
        first_.assign(trace.ranks, kNever);
        for (const Request &request : trace.requests)
            first_[request.rank] = std::min(first_[request.rank], request.started);
        for (const Call &call : trace.calls)
            if (call.function != kNone && trace.kinds[call.function].label == "MPI_Finalize")
                finalized_[trace.tasks[call.task].rank] = true;
    }

    /// The section between gaps in which the request started. A gap before the first request does
    /// not count.
    Index section_of(const Request &request) const {
        const std::vector<Interval> &gaps = gaps_[request.rank];
        const auto after =
            std::upper_bound(gaps.begin(), gaps.end(), request.started,
                             [](Time time, const Interval &gap) { return time < gap.begin; });
        return static_cast<Index>(after - gaps.begin()) - (begins_with_gap(request.rank) ? 1 : 0);
    }
    /// Some threads of the rank may be recorded before the others are.
    bool knows(const Request &request) const {
        const std::vector<Interval> &gaps = gaps_[request.rank];
        const auto after =
            std::upper_bound(gaps.begin(), gaps.end(), request.started,
                             [](Time time, const Interval &gap) { return time < gap.begin; });
        return after == gaps.begin() || request.started >= std::prev(after)->end;
    }
    /// No request of the rank is missing before those of the section.
    bool from_beginning(Index rank, Index section) const {
        return section == 0 && !begins_with_gap(rank);
    }
    bool to_end(Index rank, Index section) const {
        const auto gaps = static_cast<Index>(gaps_[rank].size());
        return finalized_[rank] && section == gaps - (begins_with_gap(rank) ? 1 : 0);
    }

  private:
    bool begins_with_gap(Index rank) const {
        return !gaps_[rank].empty() && gaps_[rank].front().begin <= first_[rank];
    }

    std::vector<std::vector<Interval>> gaps_;
    std::vector<bool> finalized_;
    std::vector<Time> first_;
};

auto envelope(const Request &request) {
    const Index from = is_send(request) ? request.rank : request.peer;
    const Index to = is_send(request) ? request.peer : request.rank;
    return std::tuple(request.communicator, from, to, request.tag);
}

/// The requests that `wanted` selects, grouped by `key` and then in order of start.
template <typename Wanted, typename Key>
std::vector<Index> ordered(const Trace &trace, Wanted wanted, Key key) {
    std::vector<Index> found;
    for (Index i = 0; i < trace.requests.size(); ++i)
        if (trace.requests[i].started != kNever && !trace.requests[i].cancelled &&
            wanted(trace.requests[i]))
            found.push_back(i);
    // The sort is stable, because two requests of one call have one time and must keep their order.
    std::stable_sort(found.begin(), found.end(), [&](Index a, Index b) {
        const Request &first = trace.requests[a];
        const Request &second = trace.requests[b];
        return std::tuple(key(first), first.started) < std::tuple(key(second), second.started);
    });
    return found;
}

bool received_before_sent(const Trace &trace, Index send, Index receive) {
    return trace.requests[receive].completed < trace.requests[send].started;
}

/// A receive whose completion is unknown, and so is what it received.
bool is_open(const Request &receive) {
    return receive.completed == kNever && (receive.peer == kNone || receive.tag == kAnyTag);
}

/// The requests that may have received messages with the others' envelopes: the first start of each
/// kind of envelope, as far as they tell it.
class OpenReceives {
  public:
    OpenReceives(const Trace &trace, const Sections &sections) : sections_(sections) {
        for (const Request &request : trace.requests)
            if (request.kind == RequestKind::receive && request.started != kNever &&
                !request.cancelled && request.communicator != kNone && is_open(request)) {
                Time &first = first_.try_emplace(key(request, request.peer, request.tag), kNever)
                                  .first->second;
                first = std::min(first, request.started);
            }
    }
    /// The start of the first that may have taken a message of `receive`; kNever: there is none.
    Time first(const Request &receive) const {
        Time found = kNever;
        for (const auto &[peer, tag] :
             {std::pair(kNone, receive.tag), {receive.peer, kAnyTag}, {kNone, kAnyTag}})
            if (const auto open = first_.find(key(receive, peer, tag)); open != first_.end())
                found = std::min(found, open->second);
        return found;
    }

  private:
    using Key = std::tuple<Index, Index, Index, Index, std::int32_t>;

    Key key(const Request &request, Index peer, std::int32_t tag) const {
        return {request.rank, sections_.section_of(request), request.communicator, peer, tag};
    }

    const Sections &sections_;
    std::map<Key, Time> first_;
};

/// Sends and receives of one section with one envelope.
void match_section(Trace &trace, const Sections &sections, const OpenReceives &open,
                   std::span<const Index> sends, std::span<const Index> receives) {
    // An open receive took none of the messages if the others account for all.
    if (sends.size() > receives.size()) {
        const Time first = open.first(trace.requests[receives.front()]);
        receives = receives.first(static_cast<std::size_t>(
            std::find_if(receives.begin(), receives.end(),
                         [&](Index i) { return trace.requests[i].started > first; }) -
            receives.begin()));
        if (receives.empty())
            return;
    }
    const std::size_t count = std::min(sends.size(), receives.size());
    const Request &send = trace.requests[sends.front()];
    const Request &receive = trace.requests[receives.front()];
    const auto both = [&](auto holds) {
        return (sections.*holds)(send.rank, sections.section_of(send)) &&
               (sections.*holds)(receive.rank, sections.section_of(receive));
    };
    if (!both(&Sections::from_beginning)) {
        if (both(&Sections::to_end)) {
            sends = sends.last(count);
            receives = receives.last(count);
        } else if (sends.size() != receives.size()) {
            return;
        }
        for (std::size_t i = 0; i < count; ++i)
            if (received_before_sent(trace, sends[i], receives[i]))
                return;
    }
    for (std::size_t i = 0; i < count; ++i)
        if (trace.requests[receives[i]].completed != kNever)
            trace.messages.push_back({sends[i], receives[i]});
}

/// The length of the list's prefix with equal keys.
template <typename Key>
std::size_t alike(const Trace &trace, std::span<const Index> requests, Key key) {
    std::size_t count = 0;
    while (count < requests.size() &&
           key(trace.requests[requests[count]]) == key(trace.requests[requests[0]]))
        ++count;
    return count;
}

void match_messages(Trace &trace, const Sections &sections) {
    const auto key = [&](const Request &request) {
        return std::tuple_cat(envelope(request), std::tuple(sections.section_of(request)));
    };
    const auto sent = [&](const Request &request) {
        return is_send(request) && sections.knows(request);
    };
    const std::vector<Index> all_sends = ordered(trace, sent, key);
    // A receive whose completion is unknown takes a message nevertheless.
    const auto received = [&](const Request &request) {
        return request.kind == RequestKind::receive && request.communicator != kNone &&
               !is_open(request) && sections.knows(request);
    };
    const OpenReceives open(trace, sections);
    const std::vector<Index> all_receives = ordered(trace, received, key);
    std::span<const Index> sends = all_sends;
    std::span<const Index> receives = all_receives;
    while (!sends.empty() && !receives.empty()) {
        const auto from = key(trace.requests[sends[0]]);
        const auto to = key(trace.requests[receives[0]]);
        const std::size_t s = from <= to ? alike(trace, sends, key) : 0;
        const std::size_t r = to <= from ? alike(trace, receives, key) : 0;
        if (from == to)
            match_section(trace, sections, open, sends.first(s), receives.first(r));
        sends = sends.subspan(s);
        receives = receives.subspan(r);
    }
    const std::size_t lonely_sends = all_sends.size() - trace.messages.size();
    const std::size_t lonely_receives =
        static_cast<std::size_t>(
            std::count_if(all_receives.begin(), all_receives.end(),
                          [&](Index i) { return trace.requests[i].completed != kNever; })) -
        trace.messages.size();
    if (lonely_sends > 0)
        trace.problems.push_back(std::to_string(lonely_sends) +
                                 (lonely_sends == 1 ? " send has" : " sends have") +
                                 " no receive that completed in the trace");
    if (lonely_receives > 0)
        trace.problems.push_back(std::to_string(lonely_receives) +
                                 (lonely_receives == 1 ? " receive has" : " receives have") +
                                 " no send in the trace");
}

/// A communicator's requests of one section, rank by rank.
void match_section_of_collectives(Trace &trace, const Sections &sections,
                                  std::span<const Index> requests) {
    const auto rank = [](const Request &request) { return request.rank; };
    std::vector<std::span<const Index>> ranks;
    bool from_beginning = true;
    bool to_end = true;
    while (!requests.empty()) {
        ranks.push_back(requests.first(alike(trace, requests, rank)));
        requests = requests.subspan(ranks.back().size());
        const Request &first = trace.requests[ranks.back()[0]];
        from_beginning &= sections.from_beginning(first.rank, sections.section_of(first));
        to_end &= sections.to_end(first.rank, sections.section_of(first));
    }
    const auto [least, most] =
        std::minmax_element(ranks.begin(), ranks.end(),
                            [](const auto &a, const auto &b) { return a.size() < b.size(); });
    const std::size_t count = most->size();
    if (!from_beginning && !to_end && least->size() != count)
        return;
    const std::size_t first = trace.collectives.size();
    trace.collectives.resize(first + count);
    for (const std::span<const Index> of_rank : ranks)
        for (std::size_t i = 0; i < of_rank.size(); ++i)
            trace.collectives[first + i + (from_beginning ? 0 : count - of_rank.size())].push_back(
                of_rank[i]);
}

void match_collectives(Trace &trace, const Sections &sections) {
    const auto section = [&](const Request &request) {
        return std::tuple(request.communicator, sections.section_of(request));
    };
    const std::vector<Index> all = ordered(
        trace,
        [&](const Request &request) {
            return request.kind == RequestKind::collective && request.communicator != kNone &&
                   sections.knows(request);
        },
        [&](const Request &request) {
            return std::tuple_cat(section(request), std::tuple(request.rank));
        });
    for (std::span<const Index> rest = all; !rest.empty();) {
        const std::size_t count = alike(trace, rest, section);
        match_section_of_collectives(trace, sections, rest.first(count));
        rest = rest.subspan(count);
    }
}

} // namespace

void match(Trace &trace) {
    const Sections sections(trace);
    match_messages(trace, sections);
    match_collectives(trace, sections);
}

} // namespace loomp::analysis
