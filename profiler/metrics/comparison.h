// Two runs of one program: what the difference of their makespans is made of.
//
// In each run the time of all threads is divided into parts, which add up to threads times makespan
// (profiler/metrics/breakdown.h). Divided by the threads of the second run, the differences of the
// parts add up to the second makespan less the first one times the threads it had over those that
// the second one has. So with as many threads they are the whole difference; otherwise the rest is
// what the number of threads would do if it divided all parts alike.
#pragma once

#include <string>
#include <vector>

#include "profiler/metrics/breakdown.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct RunTime {
    Time makespan = 0;
    std::size_t threads = 0;
    Breakdown time; ///< of all threads
};

enum class PartOf : std::uint8_t { work, overhead, idle };

struct ComparedPart {
    PartOf of;
    std::string name;   ///< of work: a kind's label, or MPI
    Time reference = 0; ///< all threads summed
    Time observed = 0;

    Time difference() const { return observed - reference; }
};

/// Of a rank of each of them.
struct ComparedRank {
    Breakdown reference;
    Breakdown observed;
};

struct Comparison {
    RunTime reference;
    RunTime observed;
    std::vector<ComparedPart> parts; ///< by PartOf; of work, greatest difference first
    std::vector<ComparedRank> ranks; ///< none if one has more of them than the other

    /// What the part's difference makes of the makespan's. Nanoseconds.
    double share(const ComparedPart &part) const;
    /// What the number of threads does, of the makespan's difference. Nanoseconds; 0 for as many.
    double by_threads() const;
    /// The makespan's difference without by_threads(): what the parts' shares add up to.
    double by_parts() const;
    /// The part with the greatest share of the sign of by_parts(); nothing if none has it.
    const ComparedPart *most() const;
};

Comparison compare(const Trace &reference, const Trace &observed);

} // namespace loomp::analysis
