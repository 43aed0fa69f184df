// A trace as a program that can be run again otherwise: of each task, what it did in which order,
// with what only that one run had (who waited when, for how long) left out.
//
// An activity is an explicit task, or what a thread did outside of them: creating tasks, and MPI
// calls. Code takes as long as it took. A creation takes as long as the creator took since the step
// before, time in which the thread ran tasks left out. An MPI call takes its time on a thread,
// unless it waits for another rank: then it takes until what it waits for has happened. A wait
// takes until what it was for has happened (profiler/graph/synchronisations.h).
#pragma once

#include <span>
#include <vector>

#include "profiler/graph/synchronisations.h"
#include "profiler/simulation/delays.h"
#include "profiler/simulation/transport.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Step {
    enum Kind : std::uint8_t {
        code,     ///< for `duration`, in the MPI call `what` if that is one
        create,   ///< task `what`
        start,    ///< request `what`
        complete, ///< wait for request `what`
        wait,     ///< until synchronisation `what` is complete
        count,    ///< for synchronisation `what`
    };
    Time duration = 0;
    Index what = kNone;
    Kind kind = code;
};

struct Program {
    Index tasks = 0; ///< activities below it are the trace's tasks; implicit ones have no steps
    std::vector<Step> steps;
    std::vector<Index> first_step; ///< of each activity; one more
    std::vector<Index> rank;       ///< of each activity
    std::vector<Synchronisation> synchronisations;
    std::vector<Index> child_of; ///< as Synchronisations has them
    std::vector<Index> member_of;
    std::vector<Index> group_of;
    std::vector<Dependence> dependences;
    Transport transport;
    Delays delays;
    bool suspends = false; ///< some task was suspended in an MPI call

    std::span<const Step> steps_of(Index activity) const {
        return std::span(steps).subspan(first_step[activity],
                                        first_step[activity + 1] - first_step[activity]);
    }
};

Program make_program(const Trace &trace);

} // namespace loomp::analysis
