// A trace as a program that can be run again otherwise: of each task, what it did in which order,
// with what only that one run had (who waited when, for how long) left out.
//
// An activity is an explicit task, or what a thread did outside of them: creating tasks, and MPI
// calls. Code takes as long as it took. A creation takes as long as the creator took since the step
// before, time in which the thread ran tasks left out. An MPI call takes its time on a thread,
// unless it waits for another rank: then it takes until what it waits for has happened. A wait
// takes until what it was for has happened (analysis/gatherings.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "analysis/gatherings.h"
#include "analysis/trace.h"

namespace loomp::analysis {

struct Step {
    enum Kind : std::uint8_t {
        code,     ///< for `duration`
        create,   ///< task `what`
        start,    ///< request `what`
        complete, ///< wait for request `what`
        wait,     ///< until gathering `what` is complete
        count,    ///< for gathering `what`
    };
    Time duration = 0;
    Index what = kNone;
    Kind kind = code;
};

/// How messages of a size behaved: sizes from a power of two to the next are alike.
struct Transfers {
    Time time = 0;           ///< from when both sides have begun to the end; the low quartile
    bool rendezvous = false; ///< sends do not complete before the receive has begun
};

struct Program {
    Index tasks = 0; ///< activities below it are the trace's tasks; implicit ones have no steps
    std::vector<Step> steps;
    std::vector<Index> first_step; ///< of each activity; one more
    std::vector<Index> rank;       ///< of each activity
    std::vector<Gatherings::Gathering> gatherings;
    std::vector<Index> child_of; ///< as Gatherings has them
    std::vector<Index> member_of;
    std::vector<Dependence> dependences;
    std::vector<Index> peer; ///< of each request: of the message that it is half of, the other
    std::vector<Index> collective;       ///< of each request
    std::array<Transfers, 65> transfers; ///< by the number of bits of the size
    /// Of each receive and each part of a collective: from when all sides have begun to its end.
    std::vector<Time> transfer;
    /// Of each of Trace::segments: the time from when the thread's task before had ended and this
    /// one was ready to its begin; the mean where the thread created tasks meanwhile.
    std::vector<Time> delays;
    Time task_overhead = 0; ///< the mean
    bool suspends = false;  ///< some task was suspended in an MPI call

    std::span<const Step> steps_of(Index activity) const {
        return std::span(steps).subspan(first_step[activity],
                                        first_step[activity + 1] - first_step[activity]);
    }
    const Transfers &transfers_of(std::uint64_t bytes) const;
};

Program make_program(const Trace &trace);

} // namespace loomp::analysis
