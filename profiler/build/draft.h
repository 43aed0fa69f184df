// The unsorted input of a TraceBuilder, from which make_trace() makes a trace.
#pragma once

#include <string>
#include <vector>

#include "profiler/trace/accesses.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Begin or end of a wait. They are paired when all threads' events are known.
struct WaitPoint {
    Time time;
    Index task;
    Index thread;
    WaitFor what;
    bool begins;
    Index kind = kNone;
};

/// Begin or end of a region that the program names. They are paired when all threads' events are
/// known.
struct UserPoint {
    Time time;
    Index task;
    Index thread;
    Index kind;
    bool begins;
    bool for_now; ///< left, or entered again
};

/// A task gets a mutex, or gives it back, or a new mutex has the name of an old one. They are
/// paired when all threads' events are known.
struct MutexPoint {
    enum Kind : std::uint8_t { renew, acquire, release };
    Time time;
    Index task; ///< kNone of a new one
    Index thread;
    Index mutex; ///< its name
    Kind kind;
};

/// A suspended task can continue.
struct Resumption {
    Index task;
    Time time;
};

/// A change of a request, in the call that made it.
struct ChangeAt {
    Index call;
    Change change;
};

struct Draft {
    Trace trace;              ///< its tables, in the order of the reports
    std::vector<Time> latest; ///< time of each thread's latest event
    std::vector<Access> accesses;
    bool keeps_accesses = false;
    std::vector<Resumption> resumptions;
    std::vector<WaitPoint> wait_points;
    std::vector<UserPoint> user_points;
    std::vector<MutexPoint> mutex_points;
    std::vector<Index> resumed_calls; ///< ascending; the rest of the call before, of the same task
    std::vector<ChangeAt> changes;    ///< in the order of arrival

    Index rank_of(Index thread) const { return trace.threads[thread].rank; }
    void problem(std::string text);
    void begin_run(Index rank, Time time);
    void end_run(Index rank, Time time);
};

} // namespace loomp::analysis
