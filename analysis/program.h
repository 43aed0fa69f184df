// A trace as a program that can be run again otherwise: of each task, what it did in which order,
// with what only that one run had (who waited when, for how long) left out.
//
// An activity is an explicit task, or what a thread did outside of them: creating tasks, and MPI
// calls. Code takes as long as it took. A creation takes as long as the creator took since the step
// before, time in which the thread ran tasks left out. An MPI call takes its time on a thread,
// unless it waits for another rank: then it takes until what it waits for has happened. A wait for
// tasks takes until those have ended that had been created by the same activity, or in a barrier by
// the rank, and had ended when the wait did; a barrier also until the others that met in it are
// there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "analysis/trace.h"

namespace loomp::analysis {

struct Step {
    enum Kind : std::uint8_t {
        code,     ///< for `duration`
        create,   ///< task `what`
        start,    ///< request `what`
        complete, ///< wait for request `what`
        wait,     ///< until all has happened that Program::gatherings[what] is about
    };
    Time duration = 0;
    Index what = kNone;
    Kind kind = code;
};

/// How messages of a size behaved: sizes from a power of two to the next are alike.
struct Transfers {
    Time time = 0;           ///< from when both sides have begun to the end; a low quartile
    bool rendezvous = false; ///< sends do not complete before the receive has begun
};

struct Program {
    Index tasks = 0; ///< activities below it are the trace's tasks; implicit ones have no steps
    std::vector<Step> steps;
    std::vector<Index> first_step; ///< of each activity; one more
    std::vector<Index> rank;       ///< of each activity
    /// What waits are for: as many tasks that end and, in a barrier, activities that come to wait.
    std::vector<Index> gatherings;
    std::vector<bool> barrier;    ///< which of them are
    std::vector<Index> child_of;  ///< of each task: the gathering of its creator that it counts for
    std::vector<Index> member_of; ///< of each task: that of its rank
    std::vector<Dependence> dependences;
    std::vector<Index> peer; ///< of each request: of the message that it is half of, the other
    std::vector<Index> collective;       ///< of each request
    std::array<Transfers, 65> transfers; ///< by the number of bits of the size
    Time collective_time = 0;            ///< from the last start to the end; a low quartile
    /// Mean time of a thread from when its task before has ended and the next one is ready.
    Time task_overhead = 0;
    bool suspends = false; ///< some task was suspended in an MPI call

    std::span<const Step> steps_of(Index activity) const {
        return std::span(steps).subspan(first_step[activity],
                                        first_step[activity + 1] - first_step[activity]);
    }
    const Transfers &transfers_of(std::uint64_t bytes) const;
};

Program make_program(const Trace &trace);

} // namespace loomp::analysis
