// How long messages and MPI calls took, and how much work was done meanwhile.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/trace.h"

namespace loomp::analysis {

/// Of messages that threads of a set start to others outside it (thesis of R. Pereira, 4.1.2).
struct Overlap {
    Time work = 0;          ///< of the set's threads, while each message is in flight, summed
    Time communication = 0; ///< the messages' times in flight, summed
    std::size_t messages = 0;
    std::size_t threads = 0; ///< of the set

    /// work / (threads * communication): 1 where all threads compute whenever something is under
    /// way; 0 without communication.
    double ratio() const;
};

/// Over all time, or over what of it is in `window`.
Overlap overlap(const Trace &trace, std::span<const Index> threads,
                std::optional<Interval> window = {});
Overlap overlap_of_rank(const Trace &trace, Index rank, std::optional<Interval> window = {});

/// Of each rank, by one look at the trace.
std::vector<Overlap> overlap_of_ranks(const Trace &trace, std::optional<Interval> window = {});

/// Over each of `parts` parts of `window`, of equal length to the nanosecond.
std::vector<Overlap> overlap_over_time(const Trace &trace, Index rank, Interval window,
                                       std::size_t parts);

/// The calls of one function of MPI, by all tasks of all ranks.
struct FunctionRow {
    Index function; ///< of Trace::kinds; kNone: of which the trace does not say
    std::size_t count = 0;
    Time time = 0;      ///< from a call to its return, the time of suspended tasks included
    Time on_thread = 0; ///< of it, while the task had a thread
};

/// The functions that were called, most time first. With a window, of the calls that began in it.
std::vector<FunctionRow> function_table(const Trace &trace, std::optional<Interval> window = {});

/// The ratios of Richard et al., "Fine-grained MPI+OpenMP plasma simulations" (2019), of one rank.
struct Ratios {
    Interval window;
    Time mpi = 0; ///< when at least one thread is in an MPI call; the calls are serialised there
    Time compute = 0; ///< code of explicit tasks, all threads summed
    std::size_t threads = 0;

    double r_comm() const; ///< mpi / window
    double r_act() const;  ///< compute / (window * threads)
};

/// Of each rank, over `window`, the makespan of all ranks without one.
std::vector<Ratios> ratios_of_ranks(const Trace &trace, std::optional<Interval> window = {});
Ratios ratios_of_rank(const Trace &trace, Index rank, std::optional<Interval> window = {});

} // namespace loomp::analysis
