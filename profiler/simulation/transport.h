// Messages and collectives of a trace as a network saw them: what belongs together, and how long
// it took once all sides had begun.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// How messages of a size behaved: sizes from a power of two to the next are alike.
struct Transfers {
    Time time = 0;           ///< from when both sides have begun to the end; the low quartile
    bool rendezvous = false; ///< sends do not complete before the receive has begun
};

struct Transport {
    std::vector<Index> peer; ///< of each request: of the message that it is half of, the other
    std::vector<Index> collective;     ///< of each request
    std::array<Transfers, 65> by_size; ///< by the number of bits of the size
    /// Of each receive and each part of a collective: from when all sides have begun to its end.
    std::vector<Time> duration;

    const Transfers &of_size(std::uint64_t bytes) const;
};

Transport measure_transport(const Trace &trace);

} // namespace loomp::analysis
