#include "analysis/simulation.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

#include "analysis/graph.h"

namespace loomp::analysis {

namespace {

/// Of each task, the longest path from its begin to the end of everything.
std::vector<Time> paths_to_end(const Trace &trace) {
    const Graph graph = build_graph(trace);
    std::vector<Time> of_task(trace.tasks.size(), 0);
    const auto order = graph.topological_order();
    if (!order)
        return of_task;
    std::vector<Time> paths(graph.nodes.size(), 0);
    for (auto node = order->rbegin(); node != order->rend(); ++node) {
        for (const Edge &edge : graph.edges_of(*node))
            paths[*node] = std::max(paths[*node], paths[edge.to]);
        paths[*node] += graph.nodes[*node].duration;
        const Index task = graph.nodes[*node].task;
        if (task != kNone)
            of_task[task] = std::max(of_task[task], paths[*node]);
    }
    return of_task;
}

/// What comes first is greatest; none for orders that do not look at the tasks.
std::vector<Time> ranking(const Trace &trace, Order order) {
    if (order == Order::critical_path)
        return paths_to_end(trace);
    if (order != Order::recorded)
        return {};
    std::vector<Time> ranks(trace.tasks.size(), 0);
    for (Index task = 0; task < ranks.size(); ++task)
        if (!trace.segments_of(task).empty())
            ranks[task] = -trace.segments_of(task).front().begin;
    return ranks;
}

/// Ready tasks of one rank.
class ReadyQueue {
  public:
    ReadyQueue(Order order, const std::vector<Time> &ranking) : order_(order), ranking_(&ranking) {}

    bool empty() const { return tasks_.empty() && heap_.empty(); }
    void push(Index task) {
        if (ranked())
            heap_.push({(*ranking_)[task], ++pushed_, task});
        else
            tasks_.push_back(task);
    }
    /// To be taken before all others.
    void push_resumed(Index task) {
        if (ranked())
            push(task);
        else if (order_ == Order::lifo)
            tasks_.push_back(task);
        else
            tasks_.push_front(task);
    }
    Index pop() {
        if (ranked()) {
            const Index task = heap_.top().task;
            heap_.pop();
            return task;
        }
        const Index task = order_ == Order::lifo ? tasks_.back() : tasks_.front();
        order_ == Order::lifo ? tasks_.pop_back() : tasks_.pop_front();
        return task;
    }

  private:
    struct Entry {
        Time rank;
        std::uint64_t number;
        Index task;

        bool operator<(const Entry &other) const { // comes later
            return rank != other.rank ? rank < other.rank : number > other.number;
        }
    };

    bool ranked() const { return !ranking_->empty(); }

    Order order_;
    const std::vector<Time> *ranking_;
    std::deque<Index> tasks_;
    std::priority_queue<Entry> heap_;
    std::uint64_t pushed_ = 0;
};

class Simulator {
  public:
    Simulator(const Trace &trace, const Program &program, const SimulationOptions &options)
        : trace_(trace), program_(program), options_(options),
          at_once_(options.at_once.value_or(options.threads == 1)),
          suspends_(options.suspends.value_or(program.suspends)), activities_(program.rank.size()),
          requests_(trace.requests.size()), waiting_in_(trace.collectives.size()),
          gatherings_(program.gatherings.size()), predecessors_(trace.tasks.size(), 0),
          first_successor_(trace.tasks.size() + 1, 0), ranking_(ranking(trace, options.order)) {
        for (std::size_t i = 0; i < waiting_in_.size(); ++i)
            waiting_in_[i] = trace.collectives[i].size();
        for (std::size_t i = 0; i < gatherings_.size(); ++i)
            gatherings_[i].missing = program.gatherings[i].missing;
        find_successors();
        queues_.assign(trace.ranks, ReadyQueue(options.order, ranking_));
        idle_.resize(trace.ranks);
        result_.ranks.resize(trace.ranks);
        outside_.resize(trace.ranks);
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
        Time since = 0;            ///< of the current step
        bool starts = false;       ///< the current step is the overhead of a start
    };
    struct Activity {
        Index step = 0;   ///< next
        Index starts = 0; ///< on a thread
        Index thread = kNone;
    };
    struct Gathering {
        Index missing = 0;          ///< tasks and activities
        std::vector<Index> waiting; ///< activities
    };
    /// Of a rank's threads, in the makespan as far as it is known.
    struct Outside {
        Time before = 0; ///< the last end of a task
        Time since = 0;
        Time last = 0; ///< that end
    };
    struct RequestState {
        Time started = kNever;
        Index waiter = kNone;
        bool completed = false;
        bool holds = false; ///< the waiter keeps its thread
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
        for (const Dependence &of : program_.dependences) {
            ++predecessors_[of.to];
            ++first_successor_[of.from + 1];
        }
        std::partial_sum(first_successor_.begin(), first_successor_.end(),
                         first_successor_.begin());
        successors_.resize(program_.dependences.size());
        std::vector<Index> place(first_successor_.begin(), first_successor_.end() - 1);
        for (const Dependence &of : program_.dependences)
            successors_[place[of.from]++] = of.to;
        for (Index task = 0; task < program_.tasks; ++task)
            predecessors_[task] += 1; // its creation
    }

    /// What recorded threads did outside of tasks goes to as many threads as there are, in turn.
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
        Thread &of = threads_[thread];
        of.current = activity;
        of.since = now_;
        of.starts = starts;
        activities_[activity].thread = thread;
        at(now_ + (starts ? overhead(activity) : 0), thread, false);
    }

    /// Of the task's next start.
    Time overhead(Index task) {
        if (options_.task_overhead)
            return *options_.task_overhead;
        const Index start = activities_[task].starts++;
        const auto segments = trace_.segments_of(task).size();
        return start < segments ? program_.delays[trace_.task_segments[task] + start]
                                : program_.task_overhead;
    }

    void take_next(Index thread) {
        Thread &of = threads_[thread];
        of.current = kNone;
        if (!of.pinned.empty()) {
            const Index activity = of.pinned.back();
            of.pinned.pop_back();
            give(thread, activity, false);
        } else if (!queues_[of.rank].empty()) {
            give(thread, queues_[of.rank].pop(), true);
        } else {
            idle_[of.rank].insert(thread);
        }
    }

    void make_ready(Index task, bool resumed) {
        const Index rank = program_.rank[task];
        if (!idle_[rank].empty()) {
            const Index thread = *idle_[rank].begin();
            idle_[rank].erase(idle_[rank].begin());
            give(thread, task, true);
        } else if (resumed) {
            queues_[rank].push_resumed(task);
        } else {
            queues_[rank].push(task);
        }
    }

    /// The thread's time since its step began, as far as it is in the makespan.
    void account(Thread &of) {
        const Time time = first_ == kNever ? 0 : now_ - std::max(of.since, first_);
        SimulatedRank &rank = result_.ranks[of.rank];
        if (of.starts)
            rank.overhead += time;
        else if (is_task(of.current))
            rank.work += time;
        else
            account_outside(of);
        of.since = now_;
        of.starts = false;
    }

    /// What is after the last end of a task is not in the makespan.
    void account_outside(const Thread &of) {
        if (first_ == kNever)
            return;
        Outside &rank = outside_[of.rank];
        if (rank.last != last_) {
            rank.before += rank.since;
            rank.since = 0;
            rank.last = last_;
        }
        const Time from = std::max(of.since, first_);
        rank.before += std::max<Time>(0, std::min(now_, last_) - from);
        rank.since += now_ - std::max(from, last_);
    }

    /// The thread's activity goes on.
    void step(Index thread) {
        Thread &of = threads_[thread];
        account(of);
        const Index activity = of.current;
        if (is_task(activity) && result_.tasks[activity].begin == kNever) {
            result_.tasks[activity].begin = now_;
            if (first_ == kNever)
                of.since = first_ = now_;
        }
        const auto steps = program_.steps_of(activity);
        Index &next = activities_[activity].step;
        while (next < steps.size()) {
            const Step &step = steps[next++];
            switch (step.kind) {
            case Step::code:
                at(now_ + step.duration, thread, false);
                return;
            case Step::create:
                if (!create(step.what))
                    break;
                if (at_once_) {
                    of.pinned.push_back(activity);
                    give(thread, step.what, true);
                    return;
                }
                make_ready(step.what, false);
                break;
            case Step::start:
                start(step.what);
                break;
            case Step::wait:
                if (gather(step.what, activity)) {
                    take_next(thread);
                    return;
                }
                break;
            case Step::count:
                count_for(step.what);
                break;
            case Step::complete:
                if (wait(step.what, activity))
                    return;
                break;
            }
        }
        if (is_task(activity))
            end(activity);
        take_next(thread);
    }

    /// Whether it is ready.
    bool create(Index task) { return --predecessors_[task] == 0; }

    void end(Index task) {
        last_ = now_;
        result_.tasks[task].end = now_;
        for (Index i = first_successor_[task]; i < first_successor_[task + 1]; ++i)
            if (--predecessors_[successors_[i]] == 0)
                make_ready(successors_[i], false);
        count_for(program_.child_of[task]);
        count_for(program_.member_of[task]);
    }

    /// Whether the activity has to wait.
    bool gather(Index gathering, Index activity) {
        if (program_.gatherings[gathering].counted)
            count_for(gathering);
        if (gatherings_[gathering].missing == 0)
            return false;
        gatherings_[gathering].waiting.push_back(activity);
        return true;
    }

    void count_for(Index gathering) {
        if (gathering == kNone || --gatherings_[gathering].missing > 0)
            return;
        for (const Index activity : std::exchange(gatherings_[gathering].waiting, {}))
            go_on(activity);
    }

    /// What a thread does outside of tasks is its own; a task that has waited is anybody's.
    void go_on(Index activity) {
        if (is_task(activity)) {
            make_ready(activity, true);
            return;
        }
        const Index thread = activities_[activity].thread;
        threads_[thread].pinned.push_back(activity);
        if (idle_[program_.rank[activity]].erase(thread) > 0)
            take_next(thread);
    }

    // MPI

    void start(Index request) {
        const Request &of = trace_.requests[request];
        requests_[request].started = now_;
        if (of.kind == RequestKind::collective) {
            start_collective(request);
            return;
        }
        const Index peer = program_.peer[request];
        const Transfers &transfers = program_.transfers_of(of.bytes);
        const bool waits = of.kind == RequestKind::synchronous_send || transfers.rendezvous;
        const bool sends = of.kind != RequestKind::receive;
        if (peer == kNone || (sends && !waits))
            complete(request);
        if (peer == kNone || requests_[peer].started == kNever)
            return;
        const Request &other = trace_.requests[peer];
        const std::uint64_t bytes = sends ? of.bytes : other.bytes;
        const Index send = sends ? request : peer;
        const Index receive = sends ? peer : request;
        Time arrives = now_ + program_.transfer[receive];
        if (options_.network) {
            const Network &network = *options_.network;
            Time flight = network.latency;
            if (network.bytes_per_second > 0)
                flight +=
                    static_cast<Time>(static_cast<double>(bytes) / network.bytes_per_second * 1e9);
            arrives = std::max(now_, requests_[send].started + flight);
        }
        complete_at(arrives, receive);
        complete_at(arrives, send);
    }

    void start_collective(Index request) {
        const Index collective = program_.collective[request];
        if (collective == kNone) {
            complete(request);
            return;
        }
        if (--waiting_in_[collective] > 0)
            return;
        for (const Index of : trace_.collectives[collective])
            at(now_ + (options_.network ? options_.network->latency : program_.transfer[of]), of,
               true);
    }

    void complete(Index request) {
        RequestState &of = requests_[request];
        if (of.completed)
            return;
        of.completed = true;
        if (of.waiter == kNone)
            return;
        if (of.holds)
            at(now_, activities_[of.waiter].thread, false);
        else
            make_ready(of.waiter, true);
    }

    /// A request that is complete as it starts makes nobody wait.
    void complete_at(Time time, Index request) {
        if (time <= now_)
            complete(request);
        else if (!requests_[request].completed)
            at(time, request, true);
    }

    /// Whether the activity has left its thread, or holds it, until the request completes.
    bool wait(Index request, Index activity) {
        RequestState &of = requests_[request];
        if (of.completed || of.started == kNever)
            return false;
        of.waiter = activity;
        of.holds = !suspends_ || !is_task(activity);
        if (!of.holds)
            take_next(activities_[activity].thread);
        return true;
    }

    Simulation finish() {
        result_.makespan = first_ == kNever ? 0 : std::max<Time>(0, last_ - first_);
        for (Index request = 0; request < requests_.size(); ++request)
            if (const RequestState &of = requests_[request]; of.holds && !of.completed)
                result_.held.push_back({request, of.waiter});
        for (Index task = 0; task < program_.tasks; ++task)
            if (!trace_.tasks[task].implicit && result_.tasks[task].end == kNever)
                ++result_.unfinished;
        for (Index rank = 0; rank < trace_.ranks; ++rank)
            result_.ranks[rank].creating =
                outside_[rank].before + (outside_[rank].last != last_ ? outside_[rank].since : 0);
        for (SimulatedRank &of : result_.ranks)
            of.idle = std::max<Time>(0, result_.makespan * static_cast<Time>(options_.threads) -
                                            of.work - of.creating - of.overhead);
        return std::move(result_);
    }

    /// Idle threads: the one with the lowest number first.
    using Idle = std::set<Index>;

    const Trace &trace_;
    const Program &program_;
    const SimulationOptions options_;
    const bool at_once_;
    const bool suspends_;
    std::vector<Activity> activities_;
    std::vector<RequestState> requests_;
    std::vector<std::size_t> waiting_in_; ///< of each collective: ranks that have not come
    std::vector<Gathering> gatherings_;
    std::vector<Outside> outside_;    ///< of each rank
    std::vector<Index> predecessors_; ///< of each task: that have not ended; and its creation
    std::vector<Index> first_successor_;
    std::vector<Index> successors_;
    const std::vector<Time> ranking_;
    std::vector<ReadyQueue> queues_; ///< of each rank
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
