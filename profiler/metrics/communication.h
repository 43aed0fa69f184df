// How long messages, collectives and MPI calls took, and how much work was done meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// What is in flight: messages, from the start of the send to the completion of the receive; parts
/// of collectives, from the start on a rank to the completion on that rank.
enum class Flights : std::uint8_t { messages, collectives, all };

/// Of what threads of a set start that somebody outside it completes (thesis of R. Pereira, 4.1.2).
/// The graph has an edge from the start of a collective to each other rank; all of them begin at
/// one time and take as long as the request does, so they are counted as one.
struct Overlap {
    Time work = 0;          ///< of the set's threads, during each flight, summed
    Time communication = 0; ///< the times in flight, summed
    std::size_t flights = 0;
    std::size_t threads = 0; ///< of the set

    /// work / (threads * communication): 1 where all threads compute whenever something is under
    /// way; 0 without communication.
    double ratio() const;
};

/// Over all time, or over what of it is in `window`.
Overlap overlap(const Trace &trace, std::span<const Index> threads,
                std::optional<Interval> window = {}, Flights which = Flights::messages);
Overlap overlap_of_rank(const Trace &trace, Index rank, std::optional<Interval> window = {},
                        Flights which = Flights::messages);

struct RankOverlap {
    Overlap messages;
    Overlap collectives;

    Overlap all() const;
    /// Of the time in flight, the part that is collectives'; 0 without communication.
    double share_of_collectives() const;
};

/// Of each rank, by one look at the trace.
std::vector<RankOverlap> overlap_of_ranks(const Trace &trace, std::optional<Interval> window = {});

/// Over each of `parts` parts of `window`, of equal length to the nanosecond.
std::vector<Overlap> overlap_over_time(const Trace &trace, Index rank, Interval window,
                                       std::size_t parts, Flights which = Flights::messages);

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
    /// When at least one request of the rank is in flight, whether or not a thread is in MPI. One
    /// that has no completion in the trace is left out.
    Time in_flight = 0;
    Time compute = 0; ///< code of explicit tasks, all threads summed
    std::size_t threads = 0;

    double r_comm() const;           ///< mpi / window
    double r_comm_in_flight() const; ///< in_flight / window
    double r_act() const;            ///< compute / (window * threads)
};

/// Of each rank, over `window`, the makespan of all ranks without one.
std::vector<Ratios> ratios_of_ranks(const Trace &trace, std::optional<Interval> window = {});
Ratios ratios_of_rank(const Trace &trace, Index rank, std::optional<Interval> window = {});

} // namespace loomp::analysis
