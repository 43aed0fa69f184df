#include "profiler/simulation/network.h"

#include <algorithm>
#include <cmath>

#include "profiler/simulation/collective_time.h"

namespace loomp::analysis {

Time Network::flight(std::uint64_t bytes) const {
    if (bytes_per_second <= 0)
        return latency;
    constexpr double kLongest = 1e14; // a day; longer times would overflow sums
    const double time = static_cast<double>(bytes) / bytes_per_second * 1e9;
    return latency + static_cast<Time>(std::min(time, kLongest));
}

SimulatedRequests::SimulatedRequests(const Trace &trace, const Transport &transport,
                                     const std::optional<Network> &network)
    : trace_(trace), transport_(transport), network_(network),
      started_(trace.requests.size(), kNever), missing_(trace.collectives.size()) {
    for (std::size_t i = 0; i < missing_.size(); ++i)
        missing_[i] = trace.collectives[i].size();
}

Started SimulatedRequests::start(Index request, Time now) {
    const Request &sent = trace_.requests[request];
    Started follows;
    started_[request] = now;
    if (sent.kind == RequestKind::collective) {
        const Index collective = transport_.collective[request];
        follows.complete = collective == kNone;
        if (collective != kNone && --missing_[collective] == 0)
            follows.joined = trace_.collectives[collective];
        return follows;
    }
    const Index peer = transport_.peer[request];
    const bool waits =
        sent.kind == RequestKind::synchronous_send || transport_.of_size(sent.bytes).rendezvous;
    const bool sends = sent.kind != RequestKind::receive;
    follows.complete = peer == kNone || (sends && !waits);
    if (peer == kNone || started_[peer] == kNever)
        return follows;
    follows.send = sends ? request : peer;
    follows.receive = sends ? peer : request;
    follows.arrives = arrival(follows.send, follows.receive, now);
    return follows;
}

Time SimulatedRequests::duration_of_part(Index request) const {
    if (!network_)
        return transport_.duration[request];
    const auto ranks =
        static_cast<Index>(trace_.collectives[transport_.collective[request]].size());
    const auto latency = static_cast<double>(network_->latency);
    const auto flight = static_cast<double>(network_->flight(trace_.requests[request].bytes));
    return std::llround(
        collective_time(collective_kind_of(trace_, request), ranks, latency, flight - latency));
}

/// `now`, both have begun.
Time SimulatedRequests::arrival(Index send, Index receive, Time now) const {
    if (!network_)
        return now + transport_.duration[receive];
    return std::max(now, started_[send] + network_->flight(trace_.requests[send].bytes));
}

} // namespace loomp::analysis
