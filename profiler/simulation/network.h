// Simulates MPI requests between ranks: which events follow the start of each request, and when.
//
// A message arrives when both sides have begun and its time in the trace is over. Collectives
// follow this rule, too. If a network is given, a message takes latency plus size over bandwidth
// from its send, even before the receive begins. A collective then takes, after all have arrived,
// as long as the fastest algorithm for its size (profiler/simulation/collective_time.h).
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
    double bytes_per_second = 0; ///< 0: unlimited

    /// The time of a message.
    Time flight(std::uint64_t bytes) const;
};

/// The events that follow the start of a request.
struct Started {
    bool complete = false;         ///< the request completes at once
    Index receive = kNone;         ///< the receive of a message if both of its sides have begun now
    Index send = kNone;            ///< that message's send
    Time arrives = 0;              ///< when both are complete
    std::span<const Index> joined; ///< all parts of a collective, of which this was the last
};

class SimulatedRequests {
  public:
    /// `network`: nothing means the times of the trace. All three arguments outlive this object.
    SimulatedRequests(const Trace &trace, const Transport &transport,
                      const std::optional<Network> &network);

    Started start(Index request, Time now);
    bool has_started(Index request) const { return started_[request] != kNever; }
    /// The duration of a collective's part after all have begun.
    Time duration_of_part(Index request) const;

  private:
    Time arrival(Index send, Index receive, Time now) const;

    const Trace &trace_;
    const Transport &transport_;
    const std::optional<Network> &network_;
    std::vector<Time> started_;        ///< one per request
    std::vector<std::size_t> missing_; ///< one per collective: ranks that have not arrived
};

} // namespace loomp::analysis
