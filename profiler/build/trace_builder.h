// From a trace's events to a Trace.
//
// Events of one thread are handed over in order of time; threads in any order, one after the other
// or mixed, since tasks and requests have names of their own: what is told of one before its
// creation is kept until that comes. What does not fit together (a task that ends and never began,
// a request completed twice) is left out or taken as far as it makes sense, and reported in
// Trace::problems. What is missing because it was not recorded, as unknown() says, is not.
// Thread safety: none.
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
    ended,     ///< its code ends; it completes now unless completes_later() was said of it
    yielded,   ///< it could go on at once
    suspended, ///< it waits, until resumable() if that is said
};

class TraceBuilder {
  public:
    Index add_rank(Index host = 0) {
        draft_.trace.hosts.push_back(host);
        return draft_.trace.ranks++;
    }
    Index add_thread(Index rank, Index number, bool stands_in = false);
    Index add_kind(std::string label, std::string source);

    // Tasks. `id` names one within the rank of the thread.
    void create(Index thread, Time time, std::uint64_t id, Index kind);
    void set_implicit(Index thread, std::uint64_t id);
    /// `thread` goes on with the task: it begins, or resumes. What the thread was in is suspended.
    void run(Index thread, Time time, std::uint64_t id);
    /// The thread's current task leaves it.
    void leave(Index thread, Time time, Leaving why);
    /// The task's end is not its code's end: complete() says when it is.
    void completes_later(Index thread, std::uint64_t id);
    void complete(Index thread, Time time, std::uint64_t id);
    /// The runtime has given its memory back.
    void deleted(Index thread, Time time, std::uint64_t id);
    /// The thread's current task waits; others may run until end_wait() for it, on any thread.
    void begin_wait(Index thread, Time time, WaitFor what, Index kind = kNone);
    void end_wait(Index thread, Time time);
    /// What the suspended task waited for has happened.
    void resumable(Index thread, Time time, std::uint64_t id);
    /// The thread comes to a construct, within those that it is in. `region` is that of all
    /// constructs in it until its end, where one is given.
    void enter_construct(Index thread, Time time, Index kind, ConstructKind what,
                         std::uint64_t region = 0);
    void leave_construct(Index thread, Time time);
    /// The thread's current task, or the thread if that is none or implicit, comes to a region that
    /// the program names. `again`: it has been left for now.
    void enter_user(Index thread, Time time, Index kind, bool again);
    /// `for_now`: it ends here unless it is entered again.
    void leave_user(Index thread, Time time, Index kind, bool for_now);
    /// The rank's process begins or ends.
    void begin_run(Index rank, Time time) { draft_.begin_run(rank, time); }
    void end_run(Index rank, Time time) { draft_.end_run(rank, time); }
    void depend(Index rank, std::uint64_t from, std::uint64_t to);
    /// An item of the task's depend clause.
    void access(Index rank, std::uint64_t id, AccessKind kind, std::uint64_t location);

    // MPI calls of the thread's current task. `id` names one use of a request within the rank.
    void enter_call(Index thread, Time time, Index function = kNone);
    /// The current task has resumed and is still in the call in which it was suspended.
    void resume_call(Index thread, Time time, Index function = kNone);
    void start(Index thread, Time time, std::uint64_t id, const Request &request);
    /// Outside a call: the runtime found it completed, for the current task.
    void finish(Index thread, Time time, std::uint64_t id);
    /// The same, for a task that is on no thread (its code may have ended).
    void finish_for(Index thread, Time time, std::uint64_t id, std::uint64_t task);
    /// Who has sent, and what, becomes known at the end of a wildcard receive.
    void set_envelope(Index thread, std::uint64_t id, Index communicator, Index peer,
                      std::int32_t tag);
    void leave_call(Index thread, Time time);

    /// What a device of the rank did; `id` of the task in whose construct it is, 0: not known.
    void device_work(const DeviceWork &of, std::uint64_t id);

    /// The names of what count() tells of; before any event.
    void set_counters(std::vector<std::string> names);
    /// What the thread's counters are: what they have grown by since they were told last belongs to
    /// its current task.
    void count(Index thread, Time time, const std::vector<std::uint64_t> &values);
    /// Of what happens on the thread from now on there are no events, until known() says so. What
    /// it does then, and whether a task that goes on then is still in a call, must be told again.
    void unknown(Index thread, Time time);
    void known(Index thread, Time time);
    /// The thread's events end here: what it is in ends now, as far as is known.
    void end_of_thread(Index thread, Time time);
    /// About so many events are to come: memory is set aside, which what never comes does not use.
    void expect(std::size_t events);
    /// The trace is to have the items of depend clauses, not only what they imply.
    void keep_accesses() { draft_.keeps_accesses = true; }
    /// Gives the trace away; the builder is of no use afterwards.
    Trace take();

  private:
    struct ThreadState {
        Index task = kNone; ///< that is on it
        Index segment = kNone;
        Index call = kNone; ///< open, of its task
        Index inner = 0;    ///< how many more are open in it
        Time latest = 0;
        Time unknown_since = kNever;         ///< kNever: it is known
        std::vector<Index> constructs;       ///< open, the innermost last
        std::vector<std::uint64_t> counters; ///< as they were told last; empty: they were not
    };
    using Names = std::vector<IdTable<Index>>; ///< of each rank

    static Index &named(Names &names, Index rank, std::uint64_t id);

    Index rank_of(Index thread) const { return draft_.trace.threads[thread].rank; }
    Index task(Index rank, std::uint64_t id);
    Index request(Index rank, std::uint64_t id);
    Index open_call(Index thread, Index task, Time time, Index function = kNone);
    void close_segment(Index thread, Time time);
    void enter_completion(Index call, Time time, Index request);
    void close_constructs(Index thread, Time time);

    Draft draft_;
    std::size_t cpu_time_ = static_cast<std::size_t>(-1); ///< which counter is the CPU clock
    std::vector<ThreadState> threads_;
    std::vector<bool> completes_later_; ///< by task
    Names task_names_;
    Names request_names_;
};

} // namespace loomp::analysis
