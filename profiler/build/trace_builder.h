// Builds a Trace from its events.
//
// Each thread's events must come in order of time. Threads may come in any order, one after the
// other or mixed, because tasks and requests have names. Events of a task before its creation are
// kept until that comes. Contradictions (a task that ends but never began, a request completed
// twice) are left out or used in part, and reported in Trace::problems. Gaps that unknown() reports
// are no problems. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/build/draft.h"
#include "profiler/trace/accesses.h"
#include "profiler/trace/id_table.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Why a task leaves its thread.
enum class Leaving : std::uint8_t {
    ended,     ///< its code ends; it completes now unless completes_later() was called
    yielded,   ///< it could continue at once
    suspended, ///< it waits, until resumable() if that is called
};

class TraceBuilder {
  public:
    Index add_rank(Index host = 0) {
        draft_.trace.hosts.push_back(host);
        draft_.trace.cut_off.push_back(false);
        return draft_.trace.ranks++;
    }
    Index add_thread(Index rank, Index number, bool stands_in = false);
    /// Both become clean text, and the label a name (profiler/trace/clean_text.h).
    Index add_kind(const std::string &label, const std::string &source);

    // Tasks. `id` names a task within the rank of the thread.
    void create(Index thread, Time time, std::uint64_t id, Index kind, bool undeferred = false);
    void set_implicit(Index thread, std::uint64_t id);
    /// `thread` begins or resumes the task. The task that the thread was in is suspended.
    void run(Index thread, Time time, std::uint64_t id);
    /// The current task leaves its thread.
    void leave(Index thread, Time time, Leaving why);
    /// The task does not complete at its code's end: complete() follows.
    void completes_later(Index thread, std::uint64_t id);
    void complete(Index thread, Time time, std::uint64_t id);
    /// The runtime has freed the task's memory.
    void deleted(Index thread, Time time, std::uint64_t id);
    /// The thread's current task waits. Others may run until end_wait() for it, on any thread.
    void begin_wait(Index thread, Time time, WaitFor what, Index kind = kNone);
    void end_wait(Index thread, Time time);
    /// The thread's current task has a mutex of the rank from now on, or no longer.
    void acquire(Index thread, Time time, std::uint64_t mutex);
    void release(Index thread, Time time, std::uint64_t mutex);
    /// From now on, a new mutex has this name.
    void renew(Index thread, Time time, std::uint64_t mutex);
    /// The event that the suspended task waited for has happened.
    void resumable(Index thread, Time time, std::uint64_t id);
    /// The thread begins a construct inside its current ones. `region`, if given, is the region of
    /// all constructs in it until its end.
    void enter_construct(Index thread, Time time, Index kind, ConstructKind what,
                         std::uint64_t region = 0);
    void leave_construct(Index thread, Time time);
    /// The thread's current task, or the thread if that is none or implicit, enters a region that
    /// the program names. `again` means that it had been left temporarily.
    void enter_user(Index thread, Time time, Index kind, bool again);
    /// `for_now`: the region ends here unless it is entered again.
    void leave_user(Index thread, Time time, Index kind, bool for_now);
    /// The rank's process begins or ends.
    void begin_run(Index rank, Time time) {
        draft_.begin_run(rank, time);
        draft_.trace.cut_off[rank] = true;
    }
    void end_run(Index rank, Time time) {
        draft_.end_run(rank, time);
        draft_.trace.cut_off[rank] = false;
    }
    void depend(Index rank, std::uint64_t from, std::uint64_t to);
    /// Adds an item of the task's depend clause.
    void access(Index rank, std::uint64_t id, AccessKind kind, std::uint64_t location);

    // MPI calls of the thread's current task. `id` names one use of a request within the rank.
    void enter_call(Index thread, Time time, Index function = kNone);
    /// The current task has resumed in the call in which it was suspended.
    void resume_call(Index thread, Time time, Index function = kNone);
    void start(Index thread, Time time, std::uint64_t id, const Request &request);
    /// The request completes in the current task's call. Outside a call, the runtime found it
    /// completed for that task.
    void finish(Index thread, Time time, std::uint64_t id);
    /// The runtime found the request completed for a task that is on no thread; its code may have
    /// ended.
    void finish_for(Index thread, Time time, std::uint64_t id, std::uint64_t task);
    /// The request has had no effect: it was cancelled, or its call failed.
    void cancel(Index thread, Time time, std::uint64_t id);
    /// The actual source and tag of a wildcard receive, known at its completion.
    void set_envelope(Index thread, std::uint64_t id, Index communicator, Index peer,
                      std::int32_t tag);
    /// The size of a collective, known at its completion.
    void set_bytes(Index thread, std::uint64_t id, std::uint64_t bytes);
    void leave_call(Index thread, Time time);

    /// Work of a device of the rank. `id` is the task of the device construct, 0 if unknown.
    void device_work(const DeviceWork &work, std::uint64_t id);

    /// The names of count()'s counters; before any event.
    void set_counters(std::vector<std::string> names);
    /// The thread's counters. Their growth since the previous call belongs to the current task.
    void count(Index thread, Time time, const std::vector<std::uint64_t> &values);
    /// The thread has no events from now until known(). Its task then, and whether that task is
    /// still in a call, must be reported again.
    void unknown(Index thread, Time time);
    void known(Index thread, Time time);
    /// The thread's events end here, and so does everything that it is in.
    void end_of_thread(Index thread, Time time);
    /// Reserves memory for about this many events. Unused memory is never touched.
    void expect(std::size_t events);
    /// The trace keeps the items of depend clauses, not only the dependences that they imply.
    void keep_accesses() { draft_.keeps_accesses = true; }
    /// Returns the trace; the builder must not be used afterwards.
    Trace take();

  private:
    struct ThreadState {
        Index task = kNone; ///< the task on it
        Index segment = kNone;
        Index call = kNone; ///< its task's open call
        Index inner = 0;    ///< how many more are open in it
        Time latest = 0;
        Time unknown_since = kNever;         ///< kNever: the thread is recorded
        std::vector<Index> constructs;       ///< open constructs, the innermost last
        std::vector<std::uint64_t> counters; ///< their latest values; empty: none yet
    };
    using Names = std::vector<IdTable<Index>>; ///< one per rank

    void add_mutex_point(Index thread, Time time, std::uint64_t mutex, MutexPoint::Kind kind);
    static Index &named(Names &names, Index rank, std::uint64_t id);

    Index rank_of(Index thread) const { return draft_.trace.threads[thread].rank; }
    Index task(Index rank, std::uint64_t id);
    Index request(Index rank, std::uint64_t id);
    Index open_call(Index thread, Index task, Time time, Index function = kNone);
    void close_segment(Index thread, Time time);
    void enter_completion(Index call, Time time, Index request);
    void close_constructs(Index thread, Time time);

    Draft draft_;
    std::size_t cpu_time_ = static_cast<std::size_t>(-1); ///< position of the CPU clock among the
                                                          ///< counters
    std::vector<ThreadState> threads_;
    Names task_names_;
    Names request_names_;
    Names mutex_names_;
    Index mutexes_ = 0; ///< names
};

} // namespace loomp::analysis
