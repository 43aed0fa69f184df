// How a network carried a trace's messages and collectives: which requests match, and their time
// after all sides had begun.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The behaviour of messages of a size. Sizes from a power of two to the next are grouped.
struct Transfers {
    Time time = 0;           ///< from the later begin to the end; the low quartile
    bool rendezvous = false; ///< sends do not complete before the receive has begun
};

struct Transport {
    std::vector<Index> peer;           ///< per request: the other half of its message
    std::vector<Index> collective;     ///< one per request
    std::array<Transfers, 65> by_size; ///< by the number of bits of the size
    /// Per receive and per part of a collective: the time from the last begin to its end.
    std::vector<Time> duration;

    const Transfers &of_size(std::uint64_t bytes) const;
};

Transport measure_transport(const Trace &trace);

} // namespace loomp::analysis
