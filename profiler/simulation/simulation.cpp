#include "profiler/simulation/simulation.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <queue>
#include <set>
#include <unordered_set>
#include <utility>

#include "profiler/simulation/simulated_exclusions.h"

namespace loomp::analysis {

namespace {

class Simulator {
  public:
    Simulator(const Trace &trace, const Program &program, const SimulationOptions &options)
        : trace_(trace), program_(program), options_(options),
          at_once_(options.at_once.value_or(options.threads == 1)),
          suspends_(options.suspends.value_or(program.suspends)), activities_(program.rank.size()),
          mpi_(trace, program.transport, options_.network), requests_(trace.requests.size()),
          synchronisations_(program.synchronisations.size()), mutexes_(program.mutexes),
          begun_(trace.tasks.size(), false), ended_(trace.tasks.size(), false),
          predecessors_(trace.tasks.size(), 0), first_successor_(trace.tasks.size() + 1, 0),
          ranking_(ranking(trace, options.order)), exclusions_(trace) {
        for (std::size_t i = 0; i < synchronisations_.size(); ++i)
            synchronisations_[i].missing = program.synchronisations[i].missing;
        find_successors();
        queues_.assign(trace.ranks, ReadyQueue(options.order, ranking_));
        idle_.resize(trace.ranks);
        result_.ranks.assign(trace.ranks, {.messages = {.threads = options.threads}});
        outside_.resize(trace.ranks);
        communicating_.resize(trace.ranks);
        in_flight_.resize(trace.ranks);
        code_.resize(trace.ranks);
        if (options.keeps_tasks)
            result_.tasks.assign(trace.tasks.size(), {kNever, kNever});
        for (Index rank = 0; rank < trace.ranks; ++rank)
            for (Index i = 0; i < options.threads; ++i)
                threads_.emplace_back().rank = rank;
    }

    Simulation run() {
        pin_activities();
        for (Index thread = 0; thread < threads_.size(); ++thread)
            take_next(thread);
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            now_ = event.time;
            if (event.of_request)
                complete(event.what);
            else
                step(event.what);
        }
        return finish();
    }

  private:
    struct Thread {
        Index rank = 0;
        Index current = kNone;     ///< activity
        std::vector<Index> pinned; ///< not begun, or interrupted: the last one first
        Time since = 0;            ///< begin of the current step
        bool starts = false;       ///< the current step is the overhead of a start
        bool calls = false;        ///< the current step is in an MPI call
        bool works = false;        ///< the current step is a task's own code
        bool blocked = false;      ///< the current step waits for a mutex
    };
    struct Activity {
        Index step = 0;   ///< next
        Index starts = 0; ///< on a thread
        Index thread = kNone;
        Index awaits = kNone; ///< mutex
    };
    /// A mutex that tasks and threads take while they run. A free one has no waiters.
    struct Mutex {
        Index owner = kNone; ///< activity
        std::deque<Index> waiting;
    };
    struct SynchronisationState {
        Index missing = 0;          ///< tasks and activities
        std::vector<Index> waiting; ///< activities
    };
    /// Time of a rank's threads outside of tasks, in the part of the makespan known so far.
    struct Outside {
        Time before = 0; ///< the last end of a task
        Time since = 0;
        Time last = 0; ///< that end
    };
    /// Measures when at least one of several things is in progress.
    struct Spells {
        Index count = 0;
        std::vector<Interval> all;

        void begin(Time now) {
            if (count++ == 0)
                all.push_back({now, kNever});
        }
        void end(Time now) {
            if (--count == 0)
                all.back().end = now;
        }
        Time within(Time first, Time last) const {
            Time sum = 0;
            for (const Interval &interval : all)
                sum += std::max<Time>(0, std::min(interval.end, last) -
                                             std::max(interval.begin, first));
            return sum;
        }
    };
    /// The tasks' own code on a rank's threads up to the current time.
    class Code {
      public:
        void change(Time now, int threads) {
            done_ = up_to(now);
            at_ = now;
            running_ += threads;
        }
        Time up_to(Time now) const { return done_ + running_ * (now - at_); }

      private:
        Time done_ = 0;
        Time at_ = 0;
        int running_ = 0;
    };
    struct RequestState {
        Time begun = 0;     ///< when a send began
        Time done_then = 0; ///< code of its rank
        Index waiter = kNone;
        bool completed = false;
        Index message_from = kNone; ///< for a receive, the send
        bool holds = false;         ///< the waiter keeps its thread
    };
    struct Event {
        Time time;
        std::uint64_t number;
        Index what;
        bool of_request;

        bool operator<(const Event &other) const { // comes later
            return time != other.time ? time > other.time : number > other.number;
        }
    };

    bool is_task(Index activity) const { return activity < program_.tasks; }

    void find_successors() {
        for (const Dependence &dependence : program_.dependences) {
            ++predecessors_[dependence.to];
            ++first_successor_[dependence.from + 1];
        }
        std::partial_sum(first_successor_.begin(), first_successor_.end(),
                         first_successor_.begin());
        successors_.resize(program_.dependences.size());
        std::vector<Index> place(first_successor_.begin(), first_successor_.end() - 1);
        for (const Dependence &dependence : program_.dependences)
            successors_[place[dependence.from]++] = dependence.to;
        for (Index task = 0; task < program_.tasks; ++task)
            predecessors_[task] += 1; // its creation
    }

    /// Recorded threads' work outside of tasks is distributed round-robin over the simulated
    /// threads.
    void pin_activities() {
        std::vector<Index> of_rank(trace_.ranks, 0);
        for (auto activity = static_cast<Index>(program_.rank.size()); activity > program_.tasks;) {
            --activity;
            if (program_.steps_of(activity).empty())
                continue;
            const Index rank = program_.rank[activity];
            const Index thread =
                rank * options_.threads +
                trace_.threads[activity - program_.tasks].number % options_.threads;
            threads_[thread].pinned.push_back(activity);
        }
    }

    void at(Time time, Index what, bool of_request) {
        events_.push({time, ++events_count_, what, of_request});
    }

    void give(Index thread, Index activity, bool starts) {
        Thread &runner = threads_[thread];
        runner.current = activity;
        runner.since = now_;
        runner.starts = starts;
        activities_[activity].thread = thread;
        at(now_ + (starts ? overhead(activity) : 0), thread, false);
    }

    /// The overhead of the task's next start.
    Time overhead(Index task) {
        if (options_.task_overhead)
            return *options_.task_overhead;
        const Index start = activities_[task].starts++;
        const auto segments = trace_.segments_of(task).size();
        return start < segments ? program_.delays.of_segments[trace_.task_segments[task] + start]
                                : program_.delays.mean;
    }

    void take_next(Index thread) {
        Thread &runner = threads_[thread];
        runner.current = kNone;
        if (!runner.pinned.empty()) {
            const Index activity = runner.pinned.back();
            runner.pinned.pop_back();
            give(thread, activity, false);
        } else if (const Index task = pop(runner.rank); task != kNone) {
            give(thread, task, true);
        } else {
            idle_[runner.rank].insert(thread);
        }
    }

    /// The next ready task that can start; kNone if there is none.
    Index pop(Index rank) {
        while (!queues_[rank].empty())
            if (const Index task = queues_[rank].pop(); exclusions_.take(task))
                return task;
        return kNone;
    }

    void make_ready(Index task, bool resumed) {
        const Index rank = program_.rank[task];
        if (!idle_[rank].empty()) {
            if (!exclusions_.take(task))
                return;
            const Index thread = *idle_[rank].begin();
            idle_[rank].erase(idle_[rank].begin());
            give(thread, task, true);
        } else if (resumed) {
            queues_[rank].push_resumed(task);
        } else {
            queues_[rank].push(task);
        }
    }

    /// The thread's time since its step began, limited to the makespan.
    void account(Thread &thread) {
        if (thread.blocked)
            thread.since = now_; // it was idle
        const Time time = first_ == kNever ? 0 : now_ - std::max(thread.since, first_);
        SimulatedRank &rank = result_.ranks[thread.rank];
        if (thread.starts)
            rank.overhead += time;
        else if (is_task(thread.current))
            rank.work += time;
        else
            account_outside(thread);
        if (thread.calls) {
            communicating_[thread.rank].end(now_);
            if (is_task(thread.current))
                rank.calls += time;
        }
        if (thread.works)
            code_[thread.rank].change(now_, -1);
        thread.since = now_;
        thread.starts = false;
        thread.calls = false;
        thread.works = false;
        thread.blocked = false;
    }

    void enter_call(Thread &thread) {
        thread.calls = true;
        communicating_[thread.rank].begin(now_);
    }

    void begin_code(Thread &thread) {
        thread.works = true;
        code_[thread.rank].change(now_, 1);
    }

    /// Time after the last end of a task is not in the makespan.
    void account_outside(const Thread &thread) {
        if (first_ == kNever)
            return;
        Outside &rank = outside_[thread.rank];
        if (rank.last != last_) {
            rank.before += rank.since;
            rank.since = 0;
            rank.last = last_;
        }
        const Time from = std::max(thread.since, first_);
        rank.before += std::max<Time>(0, std::min(now_, last_) - from);
        rank.since += now_ - std::max(from, last_);
    }

    void begin(Index task) {
        begun_[task] = true;
        if (options_.keeps_tasks)
            result_.tasks[task].begin = now_;
    }

    /// The thread's activity continues.
    void step(Index thread) {
        Thread &runner = threads_[thread];
        account(runner);
        const Index activity = runner.current;
        if (is_task(activity) && !begun_[activity]) {
            begin(activity);
            if (first_ == kNever)
                runner.since = first_ = now_;
        }
        const auto steps = program_.steps_of(activity);
        Index &next = activities_[activity].step;
        while (next < steps.size()) {
            const Step &step = steps[next++];
            switch (step.kind) {
            case Step::code:
                if (step.what != kNone)
                    enter_call(runner);
                else if (is_task(activity))
                    begin_code(runner);
                at(now_ + step.duration, thread, false);
                return;
            case Step::create:
                if (!create(step.what))
                    break;
                if (is_awaited(step.what)) {
                    kept_.insert(step.what);
                    break;
                }
                if (at_once_) {
                    if (!exclusions_.take(step.what))
                        break;
                    runner.pinned.push_back(activity);
                    give(thread, step.what, true);
                    return;
                }
                make_ready(step.what, false);
                break;
            case Step::start:
                start(step.what);
                break;
            case Step::wait: {
                const Index own = own_task(step.what);
                if (synchronise(step.what, activity)) {
                    own == kNone ? take_next(thread) : give(thread, own, true);
                    return;
                }
                break;
            }
            case Step::count:
                count_for(step.what);
                break;
            case Step::take:
                if (wait_for_mutex(step.what, activity))
                    return;
                break;
            case Step::give:
                give_mutex(step.what, activity);
                break;
            case Step::complete:
                if (wait(step.what, activity))
                    return;
                break;
            }
        }
        if (is_task(activity)) {
            last_ = now_;
            end(activity);
        }
        // An undeferred task's thread continues with the creator.
        if (const Index creator = std::exchange(creator_, kNone); creator != kNone)
            give(thread, creator, true);
        else
            take_next(thread);
    }

    /// True if it is ready.
    bool create(Index task) { return --predecessors_[task] == 0; }

    /// Its creator waits for it, or will as soon as it has created it.
    bool is_awaited(Index task) const {
        return trace_.tasks[task].undeferred && program_.child_of[task] != kNone &&
               program_.synchronisations[program_.child_of[task]].undeferred == task;
    }

    /// A taskwait with a depend clause is an undeferred task without code.
    bool is_taskwait(Index task) const {
        return is_awaited(task) && program_.steps_of(task).empty() &&
               trace_.segments_of(task).empty();
    }

    /// The undeferred task that a wait is for, if the waiter's thread can run it now. It has its
    /// mutexes then.
    Index own_task(Index synchronisation) {
        const Index task = program_.synchronisations[synchronisation].undeferred;
        if (task == kNone || kept_.erase(task) == 0)
            return kNone;
        if (is_taskwait(task)) {
            end_taskwait(task);
            return kNone;
        }
        return exclusions_.take(task) ? task : kNone;
    }

    void end_taskwait(Index task) {
        begin(task);
        end(task);
    }

    void release(Index task) {
        if (is_taskwait(task))
            end_taskwait(task);
        else
            make_ready(task, false);
    }

    void end(Index task) {
        ended_[task] = true;
        if (options_.keeps_tasks)
            result_.tasks[task].end = now_;
        for (const Index next : exclusions_.release(task))
            make_ready(next, false);
        for (Index i = first_successor_[task]; i < first_successor_[task + 1]; ++i)
            if (--predecessors_[successors_[i]] == 0)
                release(successors_[i]);
        count_for(program_.child_of[task]);
        count_for(program_.member_of[task]);
        count_for(program_.group_of[task]);
    }

    bool is_on_thread(Index activity) const {
        const Index thread = activities_[activity].thread;
        return thread != kNone && threads_[thread].current == activity;
    }

    /// True if the owner of the mutex needs no other thread to continue. If it waits for a mutex,
    /// too, this holds for that one's owner. Activities that wait for each other in a circle need a
    /// thread.
    bool needs_no_thread(Index mutex) const {
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            const Index owner = mutexes_[mutex].owner;
            if (!is_on_thread(owner))
                return false;
            mutex = activities_[owner].awaits;
            if (mutex == kNone)
                return true;
        }
        return false;
    }

    /// True if the activity must wait until it gets the mutex. It keeps its thread if no other
    /// activity needs the thread, neither the owner nor one that was interrupted there.
    bool wait_for_mutex(Index name, Index activity) {
        Mutex &mutex = mutexes_[name];
        if (mutex.owner == kNone)
            mutex.owner = activity;
        if (mutex.owner == activity)
            return false;
        mutex.waiting.push_back(activity);
        const Index thread = activities_[activity].thread;
        if (needs_no_thread(name) && threads_[thread].pinned.empty())
            threads_[thread].blocked = true;
        else
            take_next(thread);
        activities_[activity].awaits = name;
        return true;
    }

    /// The activity that has waited longest gets the mutex and continues.
    void give_mutex(Index name, Index activity) {
        Mutex &mutex = mutexes_[name];
        if (mutex.owner != activity)
            return;
        mutex.owner = kNone;
        if (mutex.waiting.empty())
            return;
        mutex.owner = mutex.waiting.front();
        mutex.waiting.pop_front();
        activities_[mutex.owner].awaits = kNone;
        if (!is_on_thread(mutex.owner)) {
            go_on(mutex.owner);
            return;
        }
        const Index thread = activities_[mutex.owner].thread;
        account(threads_[thread]); // it is blocked no longer
        at(now_, thread, false);
    }

    /// True if the activity must wait.
    bool synchronise(Index synchronisation, Index activity) {
        if (program_.synchronisations[synchronisation].counted)
            count_for(synchronisation);
        if (synchronisations_[synchronisation].missing == 0)
            return false;
        synchronisations_[synchronisation].waiting.push_back(activity);
        return true;
    }

    void count_for(Index synchronisation) {
        if (synchronisation == kNone || --synchronisations_[synchronisation].missing > 0)
            return;
        const Index undeferred = program_.synchronisations[synchronisation].undeferred;
        for (const Index activity : std::exchange(synchronisations_[synchronisation].waiting, {}))
            if (undeferred != kNone && is_task(activity) && !is_taskwait(undeferred))
                creator_ = activity;
            else
                go_on(activity);
    }

    /// A thread's work outside of tasks stays on it; any thread may resume a task that has waited.
    void go_on(Index activity) {
        if (is_task(activity)) {
            make_ready(activity, true);
            return;
        }
        const Index thread = activities_[activity].thread;
        threads_[thread].pinned.push_back(activity);
        if (idle_[program_.rank[activity]].erase(thread) > 0) {
            take_next(thread);
        } else if (threads_[thread].blocked) { // the activity there need not keep it
            account(threads_[thread]);
            take_next(thread);
        }
    }

    // MPI

    void start(Index request) {
        const Index rank = trace_.requests[request].rank;
        in_flight_[rank].begin(now_);
        requests_[request].begun = now_;
        requests_[request].done_then = code_[rank].up_to(now_);
        const Started follows = mpi_.start(request, now_);
        if (follows.complete)
            complete(request);
        if (follows.receive != kNone) {
            requests_[follows.receive].message_from = follows.send;
            complete_at(follows.arrives, follows.receive);
            complete_at(follows.arrives, follows.send);
        }
        for (const Index part : follows.joined)
            at(now_ + mpi_.duration_of_part(part), part, true);
    }

    void complete(Index request) {
        RequestState &state = requests_[request];
        if (state.completed)
            return;
        state.completed = true;
        in_flight_[trace_.requests[request].rank].end(now_);
        if (state.message_from != kNone)
            count_flight(state.message_from);
        if (state.waiter == kNone)
            return;
        if (state.holds)
            at(now_, activities_[state.waiter].thread, false);
        else
            make_ready(state.waiter, true);
    }

    /// Adds a message that arrives now to the overlap of its sender's rank.
    void count_flight(Index send) {
        const RequestState &state = requests_[send];
        const Index rank = trace_.requests[send].rank;
        Overlap &messages = result_.ranks[rank].messages;
        messages.communication += now_ - state.begun;
        messages.work += code_[rank].up_to(now_) - state.done_then;
        ++messages.flights;
    }

    /// A request that completes as it starts needs no wait.
    void complete_at(Time time, Index request) {
        if (time <= now_)
            complete(request);
        else if (!requests_[request].completed)
            at(time, request, true);
    }

    /// True if the activity leaves or blocks its thread until the request completes.
    bool wait(Index request, Index activity) {
        RequestState &state = requests_[request];
        if (state.completed || !mpi_.has_started(request))
            return false;
        state.waiter = activity;
        state.holds = !suspends_ || !is_task(activity);
        if (state.holds)
            enter_call(threads_[activities_[activity].thread]);
        else
            take_next(activities_[activity].thread);
        return true;
    }

    Simulation finish() {
        result_.makespan = first_ == kNever ? 0 : std::max<Time>(0, last_ - first_);
        for (Index request = 0; request < requests_.size(); ++request)
            if (const RequestState &state = requests_[request]; state.holds && !state.completed)
                result_.held.push_back({request, state.waiter});
        for (Index task = 0; task < program_.tasks; ++task)
            if (trace_.tasks[task].works() && !ended_[task])
                ++result_.unfinished;
        for (Index rank = 0; rank < trace_.ranks; ++rank)
            result_.ranks[rank].creating =
                outside_[rank].before + (outside_[rank].last != last_ ? outside_[rank].since : 0);
        for (Index rank = 0; rank < trace_.ranks && first_ != kNever; ++rank) {
            result_.ranks[rank].communicating = communicating_[rank].within(first_, last_);
            result_.ranks[rank].in_flight = in_flight_[rank].within(first_, last_);
        }
        for (SimulatedRank &rank : result_.ranks)
            rank.idle = std::max<Time>(0, result_.makespan * static_cast<Time>(options_.threads) -
                                              rank.work - rank.creating - rank.overhead);
        return std::move(result_);
    }

    /// Idle threads start in order of their numbers.
    using Idle = std::set<Index>;

    const Trace &trace_;
    const Program &program_;
    const SimulationOptions options_;
    const bool at_once_;
    const bool suspends_;
    std::vector<Activity> activities_;
    SimulatedRequests mpi_;
    std::vector<RequestState> requests_;
    std::unordered_set<Index> kept_; ///< ready undeferred tasks, for their creators to run
    Index creator_ = kNone; ///< a task that has waited for the undeferred task which ends now
    std::vector<SynchronisationState> synchronisations_;
    std::vector<Mutex> mutexes_;
    std::vector<Outside> outside_; ///< for each rank
    std::vector<Spells> communicating_;
    std::vector<Spells> in_flight_;
    std::vector<Code> code_;  ///< for each rank
    std::vector<bool> begun_; ///< per task
    std::vector<bool> ended_;
    std::vector<Index> predecessors_; ///< per task: unfinished ones, and its creation
    std::vector<Index> first_successor_;
    std::vector<Index> successors_;
    const std::vector<Time> ranking_;
    SimulatedExclusions exclusions_;
    std::vector<ReadyQueue> queues_; ///< for each rank
    std::vector<Idle> idle_;
    std::vector<Thread> threads_; ///< rank by rank
    std::priority_queue<Event> events_;
    std::uint64_t events_count_ = 0;
    Time now_ = 0;
    Time first_ = kNever;
    Time last_ = 0;
    Simulation result_;
};

} // namespace

Simulation simulate(const Trace &trace, const Program &program, const SimulationOptions &options) {
    return Simulator(trace, program, options).run();
}

} // namespace loomp::analysis
