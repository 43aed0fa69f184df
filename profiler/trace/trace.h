// What a run did, as its trace tells it: ranks, threads, tasks and when they ran, dependences, MPI
// calls, requests and which of them match.
//
// Filled by a TraceBuilder (profiler/build/trace_builder.h) and only read afterwards: any number of
// threads may then use it. Everything is named by its position in a vector. Times are nanoseconds
// of one clock for all ranks, since any origin.
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
/// The time of what is not in the trace.
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
    /// The runtime's, which begins target tasks that workers leave lying: it has tasks, and none of
    /// its time is the program's threads'. Behind those of its rank.
    bool stands_in = false;
};

/// What tasks of one place in the source have in common, or calls of one function of MPI.
struct Kind {
    std::string label;
    std::string source; ///< file:line, where known
};

struct Task {
    std::uint64_t id; ///< as the trace names it, unique within the rank
    Time created = kNever;
    Time ended = kNever; ///< completed: its successors may run
    Index rank = kNone;
    Index kind = kNone;
    Index parent = kNone;  ///< the task that created it
    Index creator = kNone; ///< the thread that created it
    bool implicit = false; ///< a thread's own task: what it does is not work, by the thesis
    Time deleted = kNever; ///< the runtime has given its memory back; kNever also: not recorded
};

/// A task on a thread, from when it begins or resumes to when it suspends or ends.
struct Segment {
    Time begin;
    Time end;
    Time ready = kNever; ///< since when it could have run; `begin` where the trace does not say
    Index task;
    Index thread;
};

struct Dependence {
    Index from; ///< the predecessor
    Index to;
};

enum class AccessKind : std::uint8_t { in, inoutset, mutexinoutset, inout, all_memory };

/// An item of a depend clause.
struct Access {
    Index task;
    AccessKind kind;
    std::uint64_t location; ///< of all_memory: of no meaning
};

/// An MPI call of a task, which may be suspended in it.
struct Call {
    Time begin;
    Time end;
    Index task;
    Index thread;            ///< that entered it
    Index function = kNone;  ///< of Trace::kinds
    Index first_change = 0;  ///< of Trace::changes
    Index changes_count = 0; ///< 0: it has neither started nor completed anything
};

/// A call starts a request, or finds it completed.
struct Change {
    Index request;
    bool completes;
};

enum class WaitFor : std::uint8_t {
    tasks, ///< that it has created: a taskwait
    team,  ///< a barrier
    group, ///< the end of a taskgroup: tasks that it has created, and their descendants
};

/// A task waits; other tasks may run on its thread meanwhile.
struct Wait {
    Time begin;
    Time end;
    Index task;
    Index thread; ///< on which it begins
    WaitFor what;
    Index kind = kNone; ///< of Trace::kinds: the construct
};

/// A construct that implicit tasks are in.
enum class ConstructKind : std::uint8_t { parallel, loop, sections, single, other };

/// An implicit task is in a construct, from when it begins to when it ends; what runs on the thread
/// meanwhile is in it, too.
struct Construct {
    Time begin;
    Time end;
    Index task;
    Index thread;
    Index kind;           ///< of Trace::kinds
    std::uint64_t region; ///< the same for all members of a team, of one rank; 0: not known
    ConstructKind what;
};

/// A region that the program names: from its beginning to its end, in which its task may be
/// suspended.
struct UserRegion {
    Time begin;
    Time end;
    Index task;   ///< an implicit one, or kNone: it is the thread's
    Index thread; ///< on which it begins
    Index kind;   ///< of Trace::kinds
};

enum class RequestKind : std::uint8_t {
    send,             ///< may complete before it is received
    synchronous_send, ///< completes after the receive has started
    receive,
    collective,
};

/// One use of an MPI request: a persistent one gives as many as it is started. A blocking call is
/// a request that it starts and completes.
struct Request {
    RequestKind kind = RequestKind::send;
    Index rank = kNone;
    Index communicator = 0; ///< the same number for all ranks in it
    Index peer = kNone;     ///< rank of the other side, the actual one of a wildcard's
    std::int32_t tag = 0;   ///< the actual one
    std::uint64_t bytes = 0;
    Time started = kNever;
    Time completed = kNever;
    Index start_call = kNone;
    Index completion_call = kNone;
};

/// A send and the receive that got it; both are requests.
struct Message {
    Index send;
    Index receive;
};

enum class DeviceWorkKind : std::uint8_t { kernel, copy_to, copy_from };

/// What a device did.
struct DeviceWork {
    Time begin;
    Time end;
    Time held = 0;           ///< how long the thread was held up that asked for it
    std::uint64_t bytes = 0; ///< of a copy
    Index rank;
    Index device;
    Index row;          ///< what it does at once is in several, from 0 on
    Index kind;         ///< of Trace::kinds
    Index task = kNone; ///< in whose device construct it is
    DeviceWorkKind what;
};

/// What a thread's CPU clock was at some time.
struct CpuReading {
    Time time;
    Time cpu;
};

/// When nothing was recorded of a thread, of a trace that is not of the whole run.
struct Unrecorded {
    Index thread;
    Interval time; ///< the last one of a thread may end at kNever
};

struct Trace {
    Index ranks = 0;
    std::vector<Index> hosts; ///< of each rank, from 0 on
    std::vector<Thread> threads;
    std::vector<Kind> kinds;
    std::vector<Task> tasks;
    std::vector<Segment> segments; ///< task by task, each in order of time
    std::vector<Dependence> dependences;
    std::vector<Access> accesses; ///< only where they are asked for
    std::vector<Call> calls;      ///< task by task, each in order of time
    std::vector<Change> changes;
    std::vector<Wait> waits; ///< task by task, each in order of time
    std::vector<Construct>
        constructs; ///< thread by thread, each in order of time, outer ones first
    std::vector<DeviceWork> device_work;  ///< by rank, device, row and time
    std::vector<UserRegion> user_regions; ///< in the order of their beginnings
    std::vector<Interval> runs; ///< of each rank: from the beginning of its process to the end
    std::vector<Request> requests;
    std::vector<Message> messages;
    std::vector<std::vector<Index>> collectives; ///< the requests of each, one a rank
    std::vector<std::string> counters;           ///< names of what was counted while tasks ran
    std::vector<std::uint64_t> counts;           ///< of each task, of each of `counters`
    std::vector<std::vector<CpuReading>>
        cpu_clocks;                     ///< of each thread, in order of time; empty: not recorded
    std::vector<Unrecorded> unrecorded; ///< thread by thread, each in order of time
    std::vector<std::string> problems;  ///< what is wrong with the trace, a line each

    std::vector<Index> task_segments; ///< where each task's begin; one more than tasks
    std::vector<Index> task_calls;

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
    /// Threads that are the program's.
    std::size_t count_threads() const;
    /// Of each rank.
    std::vector<std::size_t> count_threads_of_ranks() const;
    /// Whether it is work when the thread runs the task: an explicit one, on a thread of the
    /// program's.
    bool is_work(Index task, Index thread) const {
        return !tasks[task].implicit && !threads[thread].stands_in;
    }
    /// The parts of `window` in which the thread was recorded, in order; of stand-ins, none.
    std::vector<Interval> recorded(Index thread, Interval window) const;
    /// From the first start of an explicit task to the last end of one; empty without tasks.
    Interval makespan() const;
    /// From the first beginning of a process to the last end of one.
    Interval run() const;
    bool has_tasks() const; ///< explicit ones that ran
    /// Time in flight: from the start of the send to the end of the receive, both of which must be
    /// in the trace.
    Interval flight(const Message &message) const {
        return {requests[message.send].started, requests[message.receive].completed};
    }
};

} // namespace loomp::analysis
