// Two runs of one program: how much longer the same tasks and the same messages took (thesis of
// R. Pereira, 4.1.2).
//
// A task is the same one as the n-th of its rank with its kind's label in the other run, in the
// order of creation; a message, as the n-th started with its envelope.
#pragma once

#include <string>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Of one that both runs have: how long it took, in each.
struct Pair {
    Index reference; ///< of Trace::tasks or Trace::messages
    Index observed;
    Time reference_time;
    Time observed_time;

    double ratio() const; ///< observed / reference; 1 if both are nothing, infinite if one is
};

struct Inflations {
    std::vector<Pair> pairs; ///< in the order of the reference
    std::size_t only_reference = 0;
    std::size_t only_observed = 0;

    double ratio() const; ///< of the sums over all pairs
};

/// By the time of the tasks' code, MPI calls left out.
Inflations work_inflation(const Trace &reference, const Trace &observed);
/// By the time that messages were in flight.
Inflations communication_inflation(const Trace &reference, const Trace &observed);

/// Of all pairs with something in common.
struct InflationOf {
    std::string label;
    std::size_t pairs = 0;
    Time reference = 0;
    Time observed = 0;

    double ratio() const;
};

/// Of each kind of task, most time of the reference first.
std::vector<InflationOf> by_kind(const Trace &reference, const Inflations &work);
/// Of the messages of each function that sends, most time of the reference first.
std::vector<InflationOf> by_function(const Trace &reference, const Inflations &communication);

} // namespace loomp::analysis
