// Finds the longest path through the graph, which limits how many threads are useful.
#pragma once

#include <optional>
#include <vector>

#include "profiler/graph/graph.h"

namespace loomp::analysis {

struct CriticalPath {
    Time work = 0;            ///< T1: sum over all nodes; the time of one thread
    Time length = 0;          ///< T-infinity: of the longest path; no number of threads is faster
    std::vector<Index> nodes; ///< the path; among equally long ones, the one whose nodes come first

    /// T1 / T-infinity: the count of threads that can be kept busy; 0 without work.
    double average_parallelism() const;
    /// No schedule on `threads` threads is shorter: max(T1 / p, T-infinity). Nanoseconds.
    double lower_bound(unsigned threads) const;
    /// No greedy schedule is longer (Graham, Brent): T1 / p + (1 - 1 / p) T-infinity. Nanoseconds.
    double upper_bound(unsigned threads) const;
};

enum class Weigh : std::uint8_t {
    work,                   ///< nodes only: the thesis' definition
    work_and_communication, ///< plus the time that messages are in flight
};

/// Nothing if the graph has a cycle.
std::optional<CriticalPath> critical_path(const Graph &graph, Weigh weigh = Weigh::work);

} // namespace loomp::analysis
