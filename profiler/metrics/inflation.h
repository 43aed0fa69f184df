// Compares the times of matching tasks and messages in two runs of one program (thesis of R.
// Pereira, 4.1.2).
//
// The n-th created task of a rank with a label matches the n-th such task in the other run. The
// n-th started message with an envelope matches the n-th one there.
#pragma once

#include <string>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The durations of a pair in both runs.
struct Pair {
    Index reference; ///< an index of Trace::tasks or Trace::messages
    Index observed;
    Time reference_time;
    Time observed_time;

    double ratio() const; ///< observed / reference; 1 if both are 0, infinite if only the reference
                          ///< is
};

struct Inflations {
    std::vector<Pair> pairs; ///< in the order of the reference
    std::size_t only_reference = 0;
    std::size_t only_observed = 0;

    double ratio() const; ///< from the sums over all pairs
};

/// Compares the time of the tasks' code, without MPI calls.
Inflations work_inflation(const Trace &reference, const Trace &observed);
/// Compares the time that messages were in flight.
Inflations communication_inflation(const Trace &reference, const Trace &observed);

/// The sums over all pairs with one label.
struct InflationOf {
    std::string label;
    std::size_t pairs = 0;
    Time reference = 0;
    Time observed = 0;

    double ratio() const;
};

/// One per kind of task, sorted by time in the reference, longest first.
std::vector<InflationOf> by_kind(const Trace &reference, const Inflations &work);
/// The messages of each sending function, sorted by time in the reference, longest first.
std::vector<InflationOf> by_function(const Trace &reference, const Inflations &communication);

} // namespace loomp::analysis
