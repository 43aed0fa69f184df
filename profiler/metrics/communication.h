// Measures how long messages, collectives and MPI calls took, and how much work was done meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// A flight is a message, from the start of the send to the completion of the receive, or a rank's
/// part of a collective, from its start to its completion there.
enum class Flights : std::uint8_t { messages, collectives, all };

/// Flights that threads of a set start and a thread outside it completes (thesis of R. Pereira,
/// 4.1.2). The graph has an edge from the start of a collective to each other rank. All of them
/// have the begin and the end of the request, so they are counted as one.
struct Overlap {
    Time work = 0;          ///< work of the set's threads during each flight, summed
    Time communication = 0; ///< the times in flight, summed
    std::size_t flights = 0;
    std::size_t threads = 0; ///< in the set

    /// work / (threads * communication): 1 if all threads compute during every flight; 0 without
    /// communication.
    double ratio() const;
};

/// Covers `window`, or else all time.
Overlap overlap(const Trace &trace, std::span<const Index> threads,
                std::optional<Interval> window = {}, Flights which = Flights::messages);
Overlap overlap_of_rank(const Trace &trace, Index rank, std::optional<Interval> window = {},
                        Flights which = Flights::messages);

struct RankOverlap {
    Overlap messages;
    Overlap collectives;

    Overlap all() const;
    /// The share of collectives in the time in flight; 0 without communication.
    double share_of_collectives() const;
};

/// The overlap of each rank, in one pass over the trace.
std::vector<RankOverlap> overlap_of_ranks(const Trace &trace, std::optional<Interval> window = {});

/// The overlap in each of `parts` parts of `window`. The lengths of the parts differ by at most a
/// nanosecond.
std::vector<Overlap> overlap_over_time(const Trace &trace, Index rank, Interval window,
                                       std::size_t parts, Flights which = Flights::messages);

/// The calls of one function of MPI, by all tasks of all ranks.
struct FunctionRow {
    Index function; ///< an index of Trace::kinds; kNone: unknown
    std::size_t count = 0;
    Time time = 0;      ///< from a call to its return, including the time of suspended tasks
    Time on_thread = 0; ///< the part of it in which the task had a thread
};

/// The functions that were called, most time first. A window selects the calls that began in it.
std::vector<FunctionRow> function_table(const Trace &trace, std::optional<Interval> window = {});

/// The ratios of Richard et al., "Fine-grained MPI+OpenMP plasma simulations" (2019), of one rank.
struct Ratios {
    Interval window;
    Time mpi = 0; ///< when at least one thread is in an MPI call; the calls are serialised there
    /// When at least one request of the rank is in flight, whether or not a thread is in MPI.
    /// Requests without a completion in the trace are left out.
    Time in_flight = 0;
    Time compute = 0; ///< code of explicit tasks, all threads summed
    std::size_t threads = 0;

    double r_comm() const;           ///< mpi / window
    double r_comm_in_flight() const; ///< in_flight / window
    double r_act() const;            ///< compute / (window * threads)
};

/// One per rank, over `window` or else the makespan of all ranks.
std::vector<Ratios> ratios_of_ranks(const Trace &trace, std::optional<Interval> window = {});
Ratios ratios_of_rank(const Trace &trace, Index rank, std::optional<Interval> window = {});

} // namespace loomp::analysis
