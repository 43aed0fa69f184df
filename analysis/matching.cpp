#include "analysis/matching.h"

#include <algorithm>
#include <tuple>

namespace loomp::analysis {

namespace {

bool is_send(const Request &request) {
    return request.kind == RequestKind::send || request.kind == RequestKind::synchronous_send;
}

auto envelope(const Request &request) {
    const Index from = is_send(request) ? request.rank : request.peer;
    const Index to = is_send(request) ? request.peer : request.rank;
    return std::tuple(request.communicator, from, to, request.tag);
}

/// The requests for which `wanted` holds, those with equal `key` together, in order of start.
template <typename Wanted, typename Key>
std::vector<Index> ordered(const Trace &trace, Wanted wanted, Key key) {
    std::vector<Index> found;
    for (Index i = 0; i < trace.requests.size(); ++i)
        if (trace.requests[i].started != kNever && wanted(trace.requests[i]))
            found.push_back(i);
    // Stable: two of a call have one time, and are in its order.
    std::stable_sort(found.begin(), found.end(), [&](Index a, Index b) {
        const Request &first = trace.requests[a];
        const Request &second = trace.requests[b];
        return std::tuple(key(first), first.started) < std::tuple(key(second), second.started);
    });
    return found;
}

void match_messages(Trace &trace) {
    const auto sends = ordered(trace, is_send, envelope);
    // One that has not completed has no envelope for certain.
    const auto received = [](const Request &request) {
        return request.kind == RequestKind::receive && request.completed != kNever;
    };
    const auto receives = ordered(trace, received, envelope);
    std::size_t s = 0;
    std::size_t r = 0;
    while (s < sends.size() && r < receives.size()) {
        const auto sent = envelope(trace.requests[sends[s]]);
        const auto got = envelope(trace.requests[receives[r]]);
        if (sent == got)
            trace.messages.push_back({sends[s++], receives[r++]});
        else if (sent < got)
            ++s;
        else
            ++r;
    }
    const std::size_t lonely_sends = sends.size() - trace.messages.size();
    const std::size_t lonely_receives = receives.size() - trace.messages.size();
    if (lonely_sends > 0)
        trace.problems.push_back(std::to_string(lonely_sends) +
                                 " sends have no receive that completed in the trace");
    if (lonely_receives > 0)
        trace.problems.push_back(std::to_string(lonely_receives) +
                                 " receives have no send in the trace");
}

void match_collectives(Trace &trace) {
    const auto in_rank = [](const Request &request) {
        return std::tuple(request.communicator, request.rank);
    };
    const auto requests = ordered(
        trace,
        [](const Request &request) {
            return request.kind == RequestKind::collective && request.communicator != kNone;
        },
        in_rank);
    // Of each communicator, its collectives begin at `first`; each rank goes through them in turn.
    std::size_t first = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Request &request = trace.requests[requests[i]];
        if (i == 0 || in_rank(trace.requests[requests[i - 1]]) != in_rank(request)) {
            if (i == 0 || trace.requests[requests[i - 1]].communicator != request.communicator)
                first = trace.collectives.size();
            next = first;
        }
        if (next == trace.collectives.size())
            trace.collectives.emplace_back();
        trace.collectives[next++].push_back(requests[i]);
    }
}

} // namespace

void match(Trace &trace) {
    match_messages(trace);
    match_collectives(trace);
}

} // namespace loomp::analysis
