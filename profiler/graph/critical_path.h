// The longest way through the graph, and what it says of how many threads are of use.
#pragma once

#include <optional>
#include <vector>

#include "profiler/graph/graph.h"

namespace loomp::analysis {

struct CriticalPath {
    Time work = 0;            ///< T1: of all nodes; what one thread would take
    Time length = 0;          ///< T-infinity: of the longest path; no number of threads is faster
    std::vector<Index> nodes; ///< the path; of several as long, the one whose nodes come first

    /// T1 / T-infinity: as many threads can be kept busy; 0 without work.
    double average_parallelism() const;
    /// No schedule on `threads` threads is shorter: max(T1 / p, T-infinity). Nanoseconds.
    double lower_bound(unsigned threads) const;
    /// No greedy schedule is longer (Graham, Brent): T1 / p + (1 - 1 / p) T-infinity. Nanoseconds.
    double upper_bound(unsigned threads) const;
};

enum class Weigh : std::uint8_t {
    work,                   ///< nodes only: the thesis' definition
    work_and_communication, ///< and the time that messages are in flight
};

/// Nothing if the graph has a cycle.
std::optional<CriticalPath> critical_path(const Graph &graph, Weigh weigh = Weigh::work);

} // namespace loomp::analysis
