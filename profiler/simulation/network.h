// MPI requests between simulated ranks: what follows from the start of each, and when.
//
// A message has arrived when both sides have begun and the time that it took in the trace is over;
// a collective likewise. With a network given, a message takes its latency and size over bandwidth
// from its sending, also before it is awaited; a collective, when all have come, as many such
// messages as a tree over its ranks has levels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "profiler/simulation/transport.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Network {
    Time latency = 0;
    double bytes_per_second = 0; ///< 0: without bound

    /// Of a message.
    Time flight(std::uint64_t bytes) const;
};

/// What follows from the start of a request.
struct Started {
    bool complete = false;         ///< the request is, at once
    Index receive = kNone;         ///< of a message of which both sides have begun now
    Index send = kNone;            ///< of the same
    Time arrives = 0;              ///< then they are complete
    std::span<const Index> joined; ///< all parts of a collective, of which this was the last
};

class SimulatedRequests {
  public:
    /// `network`: nothing: as in the trace. All three outlive this.
    SimulatedRequests(const Trace &trace, const Transport &transport,
                      const std::optional<Network> &network);

    Started start(Index request, Time now);
    bool has_started(Index request) const { return started_[request] != kNever; }
    /// How long the part of a collective takes when all have begun.
    Time duration_of_part(Index request) const;

  private:
    Time arrival(Index send, Index receive, Time now) const;

    const Trace &trace_;
    const Transport &transport_;
    const std::optional<Network> &network_;
    std::vector<Time> started_;        ///< of each request
    std::vector<std::size_t> missing_; ///< of each collective: ranks that have not come
};

} // namespace loomp::analysis
