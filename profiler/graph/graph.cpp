#include "profiler/graph/graph.h"

#include <algorithm>
#include <unordered_map>

#include "profiler/graph/mark.h"
#include "profiler/graph/synchronisations.h"
#include "profiler/trace/code.h"
#include "profiler/trace/turns.h"

namespace loomp::analysis {

namespace {

/// The first and last node of a task.
struct Ends {
    Index first = kNone;
    Index last = kNone;
};

class Builder {
  public:
    Builder(const Trace &trace, const GraphOptions &options)
        : trace_(trace), options_(options), tasks_(trace.tasks.size()),
          starts_(trace.requests.size(), kNone), completions_(trace.requests.size(), kNone) {}

    Graph build() {
        // Growing would take up to three times the memory; what is not used is never touched.
        const std::size_t tasks = trace_.tasks.size();
        graph_.nodes.reserve(tasks + trace_.calls.size() + trace_.changes.size() +
                             (options_.waits ? tasks + 2 * trace_.waits.size() : 0));
        find_cuts();
        find_fulfilments();
        for (Index task = 0; task < trace_.tasks.size(); ++task)
            if (!options_.waits || trace_.tasks[task].works())
                add_task(task);
        if (options_.waits)
            add_threads();
        turns_ = analysis::turns_of(trace_);
        for (const std::vector<Index> &collective : trace_.collectives)
            add_collective(collective);
        if (has_cuts_)
            add_ends_of_synchronisations();
        graph_.edges = Edges(graph_.nodes.size(), [&](auto add) { visit_edges(add); });
        return std::move(graph_);
    }

  private:
    Index add_node(const Node &node) {
        graph_.nodes.push_back(node);
        return static_cast<Index>(graph_.nodes.size() - 1);
    }

    void connect(Index from, Index to, EdgeKind kind) {
        if (from == kNone || to == kNone)
            return;
        edges_.push_back({from, to, kind});
    }

    /// True if it is in the graph in any case: a region that an explicit task meets is a part of
    /// that task's code.
    bool in_nested_region(Index task) const {
        return trace_.tasks[task].implicit && trace_.tasks[task].works();
    }
    bool cuts(const Wait &wait) const {
        if (wait.what == WaitFor::mutex)
            return false; // the turns of a mutex are no order that the program wants
        return options_.waits || wait.what == WaitFor::region || in_nested_region(wait.task);
    }

    /// Creations and waits by activity: a task, or a thread (numbered after the tasks).
    void find_cuts() {
        if (!options_.waits && std::none_of(trace_.waits.begin(), trace_.waits.end(),
                                            [&](const Wait &wait) { return cuts(wait); }))
            return;
        has_cuts_ = true;
        synchronisations_ = find_synchronisations(trace_, presence_of_threads(trace_));
        creations_ =
            creations_of(trace_, [&](const Task &task) { return options_.waits || task.implicit; });
        waits_ = waits_of_activities(trace_, [&](const Wait &wait) { return cuts(wait); });
        creators_.assign(trace_.tasks.size(), kNone);
    }

    void find_fulfilments() {
        fulfilments_ = fulfilments_of_activities(trace_);
        fulfilled_from_.assign(trace_.fulfilments.size(), kNone);
        for (Index i = 0; i < trace_.fulfilments.size(); ++i)
            fulfilment_of_[trace_.fulfilments[i].task] = i;
    }

    void mark_creations_and_waits(Index activity, std::vector<Mark> &marks) const {
        for (const Index i : fulfilments_.of(activity))
            marks.push_back({trace_.fulfilments[i].time, Mark::fulfil, i});
        for (const Index task : creations_.of(activity))
            marks.push_back({trace_.tasks[task].created, Mark::create, task});
        for (const Index wait : waits_.of(activity))
            marks.push_back({trace_.waits[wait].begin, Mark::wait, wait});
    }

    Mark cut_of(const Call &call) const {
        return {call.begin, Mark::call, static_cast<Index>(&call - trace_.calls.data())};
    }

    void add_task(Index task) {
        const auto calls = trace_.calls_of(task);
        if (!trace_.tasks[task].works() &&
            std::none_of(calls.begin(), calls.end(),
                         static_cast<bool (*)(const Call &)>(analysis::cuts)))
            return;
        marks_.clear();
        mark_creations_and_waits(task, marks_);
        const bool only_calls = marks_.empty();
        for (const Call &call : calls)
            if (analysis::cuts(call))
                marks_.push_back(cut_of(call));
        if (!only_calls)
            sort_marks(marks_);
        code_.clear();
        visit_code(trace_, task, [&](const Stretch &stretch) { code_.push_back(stretch); });
        if (!only_calls)
            cut_code(marks_);
        const auto segments = trace_.segments_of(task);
        const Index thread = segments.empty() ? kNone : segments.front().thread;
        const Time begin = segments.empty() ? trace_.tasks[task].created : segments.front().begin;
        tasks_[task] = add_chain(task, begin, thread, marks_, code_);
        // A task with an event ends with its fulfilment, which takes no time.
        if (const auto found = fulfilment_of_.find(task); found != fulfilment_of_.end()) {
            const Fulfilment &fulfilment = trace_.fulfilments[found->second];
            const Index end = add_node({fulfilment.time, 0, trace_.tasks[task].rank, task, thread,
                                        static_cast<Index>(marks_.size() + 1), NodeKind::code});
            connect(tasks_[task].last, end, EdgeKind::order);
            tasks_[task].last = end;
        }
    }

    /// Each piece of code_ gets the number of cuts before it as its section.
    void cut_code(const std::vector<Mark> &marks) {
        std::vector<Stretch> pieces;
        pieces.reserve(code_.size() + marks.size());
        Index section = 0;
        for (Stretch stretch : code_) {
            for (; section < marks.size() && marks[section].time < stretch.end; ++section) {
                const Time time = marks[section].time;
                if (time <= stretch.begin)
                    continue;
                pieces.push_back(stretch);
                pieces.back().end = time;
                pieces.back().section = section;
                stretch.begin = time;
            }
            stretch.section = section;
            pieces.push_back(stretch);
        }
        code_ = std::move(pieces);
    }

    /// Handles a task, or with kNone a thread outside explicit tasks. Creations outside tasks take
    /// no time, so they need no section.
    Ends add_chain(Index task, Time begin, Index thread, const std::vector<Mark> &marks,
                   std::span<const Stretch> code) {
        Index section = 0;
        Ends ends;
        ends.first = ends.last = add_section(task, section, begin, thread, code);
        const auto go_on = [&](Time time, Index on) { // returns the section before
            const Index before = ends.last;
            ends.last = add_section(task, section, time, on, code);
            return before;
        };
        const auto go_on_after = [&](Time time, Index on) {
            const Index before = go_on(time, on);
            connect(before, ends.last, EdgeKind::order);
        };
        for (const Mark &cut : marks) {
            ++section;
            switch (cut.kind) {
            case Mark::call: {
                const Call &call = trace_.calls[cut.what];
                add_changes(call.task, call);
                const Index before = go_on(call.end, call.thread);
                connect_call(call, before, ends.last);
                break;
            }
            case Mark::create:
                creators_[cut.what] = ends.last;
                if (task != kNone)
                    go_on_after(cut.time, thread);
                break;
            case Mark::count:
                counted_.push_back({cut.what, ends.last});
                break;
            case Mark::meet:
                go_on_after(cut.time, thread);
                waiting_.push_back({cut.what, ends.last});
                break;
            case Mark::fulfil:
                fulfilled_from_[cut.what] = ends.last;
                if (task != kNone)
                    go_on_after(cut.time, thread);
                break;
            case Mark::give:
            case Mark::take:
                break; // mutexes order nothing
            case Mark::wait: {
                const Index synchronisation = synchronisations_.of_wait[cut.what];
                if (synchronisations_.all[synchronisation].counted)
                    counted_.push_back({synchronisation, ends.last});
                const Wait &wait = trace_.waits[cut.what];
                go_on_after(wait.end, wait.thread);
                waiting_.push_back({synchronisation, ends.last});
                break;
            }
            }
        }
        return ends;
    }

    void add_threads() {
        const Grouped calls = calls_outside_tasks();
        for (Index thread = 0; thread < trace_.threads.size(); ++thread) {
            std::vector<Mark> marks;
            mark_creations_and_waits(static_cast<Index>(trace_.tasks.size()) + thread, marks);
            for (const Synchronisations::Fork &fork : synchronisations_.begins[thread])
                marks.push_back({fork.time, Mark::meet, fork.synchronisation});
            for (const Synchronisations::Fork &fork : synchronisations_.forks[thread])
                marks.push_back({fork.time, Mark::count, fork.synchronisation});
            for (const Index call : calls.of(thread))
                marks.push_back(cut_of(trace_.calls[call]));
            if (marks.empty())
                continue;
            sort_marks(marks);
            add_chain(kNone, marks.front().time, thread, marks, {});
        }
    }

    /// The calls of each thread that cut its chain.
    Grouped calls_outside_tasks() const {
        std::vector<Index> calls;
        for (Index i = 0; i < trace_.calls.size(); ++i)
            if (!trace_.tasks[trace_.calls[i].task].works() && analysis::cuts(trace_.calls[i]))
                calls.push_back(i);
        return {std::move(calls), trace_.threads.size(),
                [&](Index call) { return trace_.calls[call].thread; },
                [](Index a, Index b) { return a < b; }};
    }

    /// Finds the node after each synchronisation; kNone if nothing waits for it.
    void add_ends_of_synchronisations() {
        std::stable_sort(waiting_.begin(), waiting_.end(), [](const AtNode &a, const AtNode &b) {
            return a.synchronisation < b.synchronisation;
        });
        ends_.assign(synchronisations_.all.size(), kNone);
        for (auto first = waiting_.begin(); first != waiting_.end();) {
            const auto last = std::find_if(first, waiting_.end(), [&](const AtNode &at) {
                return at.synchronisation != first->synchronisation;
            });
            Index &end = ends_[first->synchronisation] = first->node;
            if (last - first > 1) {
                end = add_node(
                    {graph_.nodes[end].begin, 0, kNone, kNone, kNone, kNone, NodeKind::meeting});
                for (; first != last; ++first)
                    connect(end, first->node, EdgeKind::wait);
            }
            first = last;
        }
        for (const auto &[synchronisation, before] : counted_)
            connect(before, ends_[synchronisation], EdgeKind::wait);
    }

    Index add_section(Index task, Index section, Time begin, Index thread,
                      std::span<const Stretch> &code) {
        Time duration = 0;
        if (!code.empty() && code.front().section == section) {
            begin = code.front().begin;
            thread = code.front().thread;
        }
        for (; !code.empty() && code.front().section == section; code = code.subspan(1))
            duration += code.front().end - code.front().begin;
        const bool works = task != kNone && trace_.tasks[task].works();
        const Index rank = task != kNone ? trace_.tasks[task].rank : trace_.threads[thread].rank;
        return add_node({begin, works ? duration : 0, rank, task, thread, section, NodeKind::code});
    }

    void add_changes(Index task, const Call &call) {
        for (const Change &change : trace_.changes_of(call)) {
            const Request &request = trace_.requests[change.request];
            const Time when = change.completes ? request.completed : request.started;
            const Index node =
                add_node({when, 0, request.rank, task, call.thread, change.request,
                          change.completes ? NodeKind::completion : NodeKind::start});
            (change.completes ? completions_ : starts_)[change.request] = node;
        }
    }

    void connect_call(const Call &call, Index before, Index after) {
        bool way_through = false;
        for (const Change &change : trace_.changes_of(call)) {
            if (!change.completes) {
                connect(before, starts_[change.request], EdgeKind::order);
                continue;
            }
            connect(completions_[change.request], after, EdgeKind::order);
            const Request &request = trace_.requests[change.request];
            way_through |= request.start_call == request.completion_call;
        }
        if (!way_through)
            connect(before, after, EdgeKind::order);
    }

    void add_collective(const std::vector<Index> &requests) {
        if (requests.size() <= options_.direct_collective) {
            for (const Index from : requests)
                for (const Index to : requests)
                    if (from != to)
                        connect(starts_[from], completions_[to], EdgeKind::collective);
            return;
        }
        Time latest = 0;
        for (const Index request : requests)
            latest = std::max(latest, trace_.requests[request].started);
        const Index meeting =
            add_node({latest, 0, kNone, kNone, kNone, requests.front(), NodeKind::meeting});
        for (const Index request : requests) {
            connect(starts_[request], meeting, EdgeKind::collective);
            connect(meeting, completions_[request], EdgeKind::collective);
        }
    }

    /// Calls `visit(edge)` for each edge between two nodes.
    template <class Visit> void visit_edges(Visit visit) const {
        const auto between = [&](Index from, Index to, EdgeKind kind) {
            if (from != kNone && to != kNone)
                visit(Edge{from, to, kind});
        };
        for (const Edge &edge : edges_)
            visit(edge);
        for (Index request = 0; request < starts_.size(); ++request)
            between(starts_[request], completions_[request], EdgeKind::request);
        for (const Dependence &dependence : trace_.dependences)
            between(tasks_[dependence.from].last, tasks_[dependence.to].first,
                    EdgeKind::dependence);
        for (const Dependence &turn : turns_)
            between(tasks_[turn.from].last, tasks_[turn.to].first, EdgeKind::turn);
        for (const Message &message : trace_.messages) {
            between(starts_[message.send], completions_[message.receive], EdgeKind::message);
            if (trace_.requests[message.send].kind == RequestKind::synchronous_send)
                between(starts_[message.receive], completions_[message.send],
                        EdgeKind::synchronous);
        }
        for (Index i = 0; i < fulfilled_from_.size(); ++i)
            between(fulfilled_from_[i], tasks_[trace_.fulfilments[i].task].last, EdgeKind::wait);
        for (Index task = 0; task < trace_.tasks.size() && has_cuts_; ++task) {
            if (!options_.waits && !in_nested_region(task))
                continue;
            between(creators_[task], tasks_[task].first, EdgeKind::creation);
            for (const std::vector<Index> *list :
                 {&synchronisations_.child_of, &synchronisations_.member_of,
                  &synchronisations_.group_of})
                if ((*list)[task] != kNone)
                    between(tasks_[task].last, ends_[(*list)[task]], EdgeKind::wait);
        }
    }

    const Trace &trace_;
    const GraphOptions options_;
    Graph graph_;
    std::vector<Edge> edges_; ///< those that visit_edges() cannot find in the trace
    std::vector<Dependence> turns_;
    std::vector<Ends> tasks_;
    std::vector<Stretch> code_; ///< the current task's code
    std::vector<Index> starts_; ///< each request's node
    std::vector<Index> completions_;
    std::vector<Mark> marks_;                        ///< the current task's cuts
    Grouped fulfilments_;                            ///< by activity
    std::unordered_map<Index, Index> fulfilment_of_; ///< by the task that it completes
    std::vector<Index> fulfilled_from_;              ///< each fulfilment's node
    // The rest is used if the graph has waits or nested regions.
    struct AtNode {
        Index synchronisation;
        Index node;
    };
    bool has_cuts_ = false; ///< beside calls
    Synchronisations synchronisations_;
    Grouped creations_; ///< by activity, as far as they cut it
    Grouped waits_;
    std::vector<Index> creators_; ///< each task's creator's node before its creation
    std::vector<AtNode> counted_; ///< nodes of activities that a synchronisation waits for
    std::vector<AtNode> waiting_; ///< the nodes after it
    std::vector<Index> ends_;     ///< one of them for each synchronisation, or their meeting
};

} // namespace

std::optional<std::vector<Index>> Graph::topological_order() const {
    std::vector<Index> waits_for(nodes.size(), 0);
    for (const Edge &edge : edges)
        ++waits_for[edge.to];
    std::vector<Index> order;
    order.reserve(nodes.size());
    for (Index node = 0; node < nodes.size(); ++node)
        if (waits_for[node] == 0)
            order.push_back(node);
    for (std::size_t done = 0; done < order.size(); ++done)
        for (const Edge &edge : edges_of(order[done]))
            if (--waits_for[edge.to] == 0)
                order.push_back(edge.to);
    if (order.size() != nodes.size())
        return std::nullopt;
    return order;
}

Graph build_graph(const Trace &trace, const GraphOptions &options) {
    return Builder(trace, options).build();
}

} // namespace loomp::analysis
