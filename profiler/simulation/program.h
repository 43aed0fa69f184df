// Converts a trace to a program that a simulation can run differently. It keeps each task's steps
// and their order, and leaves out the waiting times of that run.
//
// An activity is an explicit task, or a thread outside of explicit tasks, which creates tasks and
// calls MPI. Code takes its recorded time. A creation takes the creator's time since the step
// before, without tasks that the thread ran. An MPI call takes its time on a thread, unless it
// waits for another rank: then it ends with that event. A wait ends when its synchronisation is
// complete (profiler/graph/synchronisations.h). A wait for a mutex ends when no other activity has
// it.
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
        take,     ///< the mutex `what`, when no other activity has it
        give,     ///< it back
    };
    Time duration = 0;
    Index what = kNone;
    Kind kind = code;
};

struct Program {
    Index tasks = 0; ///< activities below it are the trace's tasks; only those that work have steps
    std::vector<Step> steps;
    std::vector<Index> first_step; ///< one per activity, and one more
    std::vector<Index> rank;       ///< one per activity
    std::vector<Synchronisation> synchronisations;
    std::vector<Index> child_of; ///< this and the next two are those of Synchronisations
    std::vector<Index> member_of;
    std::vector<Index> group_of;
    std::span<const Dependence> dependences; ///< the trace's, or others
    Transport transport;
    Delays delays;
    Index mutexes = 0;
    bool suspends = false; ///< some task was suspended in an MPI call

    std::span<const Step> steps_of(Index activity) const {
        return std::span(steps).subspan(first_step[activity],
                                        first_step[activity + 1] - first_step[activity]);
    }
};

Program make_program(const Trace &trace);

} // namespace loomp::analysis
