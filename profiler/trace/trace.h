// The contents of a trace: ranks, threads, tasks and when they ran, dependences, MPI calls,
// requests and their matches.
//
// A TraceBuilder (profiler/build/trace_builder.h) fills it. Afterwards it is only read, so any
// number of threads may use it. A position in a vector names an element. Times are nanoseconds of
// one clock for all ranks, since any origin.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace loomp::analysis {

using Time = std::int64_t;
using Index = std::uint32_t;

inline constexpr Index kNone = std::numeric_limits<Index>::max();
/// A time that is not in the trace.
inline constexpr Time kNever = std::numeric_limits<Time>::max();

constexpr double seconds(double nanoseconds) { return nanoseconds / 1e9; }

struct Interval {
    Time begin = 0;
    Time end = 0;

    Time length() const { return end - begin; }
    bool contains(Time time) const { return begin <= time && time < end; }
};

struct Thread {
    Index rank;
    Index number; ///< within the rank
    /// A thread of the runtime that begins target tasks which workers do not take. It has tasks,
    /// but its time does not count as the program's. It comes after the threads of its rank.
    bool stands_in = false;
};

/// The common properties of tasks from one place in the source, or of calls of one MPI function.
struct Kind {
    std::string label;
    std::string source; ///< file:line, if known
};

/// Traces have millions of them, so the members are in an order without gaps.
struct Task {
    std::uint64_t id; ///< the trace's name for it, unique within the rank
    Time created = kNever;
    Time ended = kNever;   ///< completed: its successors may run
    Time deleted = kNever; ///< its memory was freed; kNever also: not recorded
    Index rank = kNone;
    Index kind = kNone;
    Index parent = kNone;  ///< the task that created it, or that met the implicit task's region
    Index creator = kNone; ///< the thread that created it
    /// The explicit task whose work its code is: itself, or for an implicit task the one that met
    /// its region, or a region around it. kNone: its code is no work, following the thesis.
    Index owner = kNone;
    bool undeferred = false; ///< its creator waits for it, such as with if(0)
    bool implicit = false;
    bool completes_later = false; ///< an event completes it, after the end of its code

    /// True if its code is work; otherwise it is a thread's own, outside explicit tasks.
    bool works() const { return owner != kNone; }
};

/// A task on a thread, from when it begins or resumes to when it suspends or ends.
struct Segment {
    Time begin;
    Time end;
    Time ready = kNever; ///< since when it could have run; `begin` if unknown
    Index task;
    Index thread;
};

struct Dependence {
    Index from; ///< the predecessor
    Index to;
};

enum class AccessKind : std::uint8_t { in, inoutset, mutexinoutset, inout, all_memory };

/// A task keeps a mutex from when it begins to its end: no two of them run at one time. That of a
/// mutexinoutset belongs to a location and to the siblings that name it.
struct Exclusion {
    Index task;
    Index mutex; ///< from 0 on
};

/// An item of a depend clause.
struct Access {
    Index task;
    AccessKind kind;
    std::uint64_t location; ///< for all_memory: meaningless
};

/// An MPI call of a task, which may be suspended in it.
struct Call {
    Time begin;
    Time end;
    Index task;
    Index thread;            ///< thread that entered it
    Index function = kNone;  ///< index in Trace::kinds
    Index first_change = 0;  ///< index in Trace::changes
    Index changes_count = 0; ///< 0: it has neither started nor completed anything
    bool open = false;       ///< it has not returned in the trace
};

/// A call starts a request, or finds it completed.
struct Change {
    Index request;
    bool completes;
};

enum class WaitFor : std::uint8_t {
    tasks,      ///< for its children: a taskwait
    team,       ///< a barrier
    group,      ///< the end of a taskgroup: for its tasks and their descendants
    region,     ///< the end of a region that the task has met: for the region's implicit tasks
    undeferred, ///< for `Wait::undeferred`, from its creation on
    mutex,      ///< for a mutex that another task has (Holding)
};

/// A task waits; other tasks may run on its thread meanwhile.
struct Wait {
    Time begin;
    Time end;
    Index task;
    Index thread; ///< thread on which it begins
    WaitFor what;
    Index kind = kNone;       ///< the construct, in Trace::kinds
    Index undeferred = kNone; ///< the task that WaitFor::undeferred is for
};

/// A task has a mutex of the program: a critical section, a lock or an ordered region.
struct Holding {
    Time begin;
    Time end;
    Index task;
    Index thread; ///< on which it begins
    Index mutex;  ///< from 0 on
};

/// A task or a thread fulfils the event of another task, whose code has ended: that one completes.
struct Fulfilment {
    Time time;
    Index task; ///< the other one
    Index by;
    Index thread;
};

/// A construct that implicit tasks are in.
enum class ConstructKind : std::uint8_t { parallel, loop, sections, single, other };

/// An implicit task is in a construct from its begin to its end, and so is everything that runs on
/// the thread meanwhile.
struct Construct {
    Time begin;
    Time end;
    Index task;
    Index thread;
    Index kind;           ///< index in Trace::kinds
    std::uint64_t region; ///< equal for all members of a team in a rank; 0: unknown
    ConstructKind what;
};

/// A region that the program names, from its begin to its end; its task may be suspended in it.
struct UserRegion {
    Time begin;
    Time end;
    Index task;   ///< an implicit one, or kNone: it is the thread's
    Index thread; ///< thread on which it begins
    Index kind;   ///< index in Trace::kinds
};

enum class RequestKind : std::uint8_t {
    send,             ///< may complete before it is received
    synchronous_send, ///< completes after the receive has started
    receive,
    collective,
};

/// The tag of a wildcard receive whose completion is unknown.
inline constexpr std::int32_t kAnyTag = -1;

/// One use of an MPI request. A persistent request has one for each start. A blocking call is a
/// request that it starts and completes.
struct Request {
    RequestKind kind = RequestKind::send;
    bool cancelled = false; ///< it had no effect: it was cancelled, or its call failed
    bool wildcard = false;  ///< a receive from any rank or of any tag
    Index rank = kNone;
    Index communicator = 0; ///< equal for all its ranks; kNone: unknown
    Index peer = kNone;     ///< rank of the other side, resolved for a wildcard; else kNone
    std::int32_t tag = 0;   ///< resolved for a wildcard; else kAnyTag
    std::uint64_t bytes = 0;
    Time started = kNever;
    Time completed = kNever;
    Index start_call = kNone;
    Index completion_call = kNone;
};

/// A send and the receive that it matched; both are requests.
struct Message {
    Index send;
    Index receive;
};

enum class DeviceWorkKind : std::uint8_t { kernel, copy_to, copy_from };

/// A piece of a device's work.
struct DeviceWork {
    Time begin;
    Time end;
    Time held = 0;           ///< how long it blocked the requesting thread
    std::uint64_t bytes = 0; ///< for a copy
    Index rank;
    Index device;
    Index row;          ///< overlapping work is in several rows, from 0 on
    Index kind;         ///< index in Trace::kinds
    Index task = kNone; ///< task of its device construct
    DeviceWorkKind what;
};

/// A reading of a thread's CPU clock.
struct CpuReading {
    Time time;
    Time cpu;
};

/// A time when a thread was not recorded; complete traces have none.
struct Unrecorded {
    Index thread;
    Interval time; ///< the last one of a thread may end at kNever
};

struct Trace {
    Index ranks = 0;
    std::vector<Index> hosts; ///< the host of each rank, from 0 on
    std::vector<Thread> threads;
    std::vector<Kind> kinds;
    std::vector<Task> tasks;
    std::vector<Segment> segments;       ///< grouped by task, each in order of time
    std::vector<Dependence> dependences; ///< by successor, then by predecessor
    std::vector<Exclusion> exclusions;   ///< grouped by task
    std::vector<Access> accesses;        ///< only if requested; sorted by sort_accesses()
    std::vector<Call> calls;             ///< grouped by task, each in order of time
    std::vector<Change> changes;
    std::vector<Wait> waits;             ///< grouped by task, each in order of time
    std::vector<Holding> holdings;       ///< grouped by task, each in order of time
    std::vector<Fulfilment> fulfilments; ///< those that the program itself calls
    std::vector<Construct>
        constructs; ///< grouped by thread, each in order of time, outer ones first
    std::vector<DeviceWork> device_work;  ///< by rank, device, row and time
    std::vector<UserRegion> user_regions; ///< in the order of their begins
    std::vector<Interval> runs;           ///< per rank: from the begin of its process to the end
    std::vector<bool> cut_off;            ///< per rank: its process began in the trace, and did not
                                          ///< end: it was killed, or called _exit()
    std::vector<Request> requests;
    std::vector<Message> messages;
    std::vector<std::vector<Index>> collectives; ///< the requests of each collective, one per rank
    std::vector<std::string> counters;           ///< names of the counters
    std::vector<std::uint64_t> counts;           ///< a row per task, a column for each of
                                                 ///< `counters`
    std::vector<std::vector<CpuReading>>
        cpu_clocks;                     ///< one per thread, in order of time; empty: not recorded
    std::vector<Unrecorded> unrecorded; ///< grouped by thread, each in order of time
    std::vector<std::string> problems;  ///< defects of the trace, a line each

    std::vector<Index> task_segments; ///< index of each task's first; one more than tasks
    std::vector<Index> task_calls;
    std::vector<Index> ordered_segments; ///< indices, grouped by thread, each in order of time
    std::vector<Index> thread_segments;  ///< index in it of each thread's first; one more than
                                         ///< threads

    /// Makes these two, when the segments are complete.
    void order_segments();
    /// The indices of a thread's segments in order of time. They do not overlap.
    std::span<const Index> segments_on(Index thread) const {
        return std::span(ordered_segments)
            .subspan(thread_segments[thread],
                     thread_segments[thread + 1] - thread_segments[thread]);
    }
    std::span<const Segment> segments_of(Index task) const {
        return std::span(segments).subspan(task_segments[task],
                                           task_segments[task + 1] - task_segments[task]);
    }
    std::span<const Call> calls_of(Index task) const {
        return std::span(calls).subspan(task_calls[task], task_calls[task + 1] - task_calls[task]);
    }
    std::span<const Change> changes_of(const Call &call) const {
        return std::span(changes).subspan(call.first_change, call.changes_count);
    }
    std::span<const std::uint64_t> counts_of(Index task) const {
        return std::span(counts).subspan(task * counters.size(), counters.size());
    }
    /// True for a taskwait with a depend clause, which tools get to know as an undeferred task. It
    /// has no code.
    bool is_taskwait(Index task) const {
        return tasks[task].undeferred && tasks[task].ended != kNever && segments_of(task).empty();
    }
    /// Explicit tasks; taskwaits are none.
    std::size_t count_tasks() const;
    /// Threads of the program, without stand-ins.
    std::size_t count_threads() const;
    /// One count per rank.
    std::vector<std::size_t> count_threads_of_ranks() const;
    /// True if the task's time on the thread is work: inside an explicit task, on a thread of the
    /// program.
    bool is_work(Index task, Index thread) const {
        return tasks[task].works() && !threads[thread].stands_in;
    }
    /// The parts of `window` in which the thread was recorded, in order; empty for stand-ins.
    std::vector<Interval> recorded(Index thread, Interval window) const;
    /// The time from the first start of an explicit task to the last end of one; empty without
    /// tasks.
    Interval makespan() const;
    /// The time from the first begin of a process to the last end of one.
    Interval run() const;
    bool has_tasks() const; ///< explicit ones that ran
    /// Time in flight: from the start of the send to the end of the receive, both of which must be
    /// in the trace.
    Interval flight(const Message &message) const {
        return {requests[message.send].started, requests[message.receive].completed};
    }
};

/// The label of a kind. A task that was created before the recording has none.
inline std::string label_of(const Trace &trace, Index kind, const char *unknown = "(unknown)") {
    return kind == kNone ? unknown : trace.kinds[kind].label;
}

} // namespace loomp::analysis
