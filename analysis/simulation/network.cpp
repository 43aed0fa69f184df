#include "analysis/simulation/network.h"

#include <algorithm>

namespace loomp::analysis {

SimulatedRequests::SimulatedRequests(const Trace &trace, const Transport &transport,
                                     const std::optional<Network> &network)
    : trace_(trace), transport_(transport), network_(network),
      started_(trace.requests.size(), kNever), missing_(trace.collectives.size()) {
    for (std::size_t i = 0; i < missing_.size(); ++i)
        missing_[i] = trace.collectives[i].size();
}

Started SimulatedRequests::start(Index request, Time now) {
    const Request &of = trace_.requests[request];
    Started follows;
    started_[request] = now;
    if (of.kind == RequestKind::collective) {
        const Index collective = transport_.collective[request];
        follows.complete = collective == kNone;
        if (collective != kNone && --missing_[collective] == 0)
            follows.joined = trace_.collectives[collective];
        return follows;
    }
    const Index peer = transport_.peer[request];
    const bool waits =
        of.kind == RequestKind::synchronous_send || transport_.of_size(of.bytes).rendezvous;
    const bool sends = of.kind != RequestKind::receive;
    follows.complete = peer == kNone || (sends && !waits);
    if (peer == kNone || started_[peer] == kNever)
        return follows;
    follows.send = sends ? request : peer;
    follows.receive = sends ? peer : request;
    follows.arrives = arrival(follows.send, follows.receive, now);
    return follows;
}

/// `now`, both have begun.
Time SimulatedRequests::arrival(Index send, Index receive, Time now) const {
    if (!network_)
        return now + transport_.duration[receive];
    Time flight = network_->latency;
    if (network_->bytes_per_second > 0)
        flight += static_cast<Time>(static_cast<double>(trace_.requests[send].bytes) /
                                    network_->bytes_per_second * 1e9);
    return std::max(now, started_[send] + flight);
}

} // namespace loomp::analysis
