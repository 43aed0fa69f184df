// Divides the difference of the makespans of two runs of one program into parts.
//
// In each run the time of all threads is divided into parts, which add up to threads times makespan
// (profiler/metrics/breakdown.h). The differences of the parts, divided by the threads of the
// second run, add up to: second makespan - first makespan * first threads / second threads. If both
// runs have equally many threads, this is the whole difference. Otherwise the rest is the effect of
// the number of threads, as if all parts scaled alike.
#pragma once

#include <string>
#include <vector>

#include "profiler/metrics/breakdown.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct RunTime {
    Time makespan = 0;
    std::size_t threads = 0;
    Breakdown time; ///< summed over all threads
};

enum class PartOf : std::uint8_t { work, overhead, idle };

struct ComparedPart {
    PartOf of;
    std::string name;   ///< for work: a kind's label, or MPI
    Time reference = 0; ///< all threads summed
    Time observed = 0;

    Time difference() const { return observed - reference; }
};

/// The parts of one rank in both runs.
struct ComparedRank {
    Breakdown reference;
    Breakdown observed;
};

struct Comparison {
    RunTime reference;
    RunTime observed;
    std::vector<ComparedPart> parts; ///< by PartOf; for work, greatest difference first
    std::vector<ComparedRank> ranks; ///< empty if the runs have different counts of ranks

    /// The part's contribution to the makespan's difference. Nanoseconds.
    double share(const ComparedPart &part) const;
    /// The contribution of the number of threads to the makespan's difference. Nanoseconds; 0 for
    /// equal numbers.
    double by_threads() const;
    /// The makespan's difference without by_threads(): the sum of the parts' shares.
    double by_parts() const;
    /// The part with the greatest share that has the sign of by_parts(); nothing if none has it.
    const ComparedPart *most() const;
};

Comparison compare(const Trace &reference, const Trace &observed);

} // namespace loomp::analysis
