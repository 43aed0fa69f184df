#include "profiler/simulation/ranks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "profiler/simulation/collective_time.h"
#include "profiler/simulation/transport.h"
#include "profiler/trace/code.h"
#include "profiler/trace/cpu_clock.h"

namespace loomp::analysis {

namespace {

class Resizer {
  public:
    /// `found` is the trace's grid, if it has one.
    Resizer(const Trace &trace, const std::optional<Sides> &found, const Sides &sides)
        : old_(trace), ranks_(sides.ranks()), found_(found.has_value()),
          copy_(found.value_or(Sides{{trace.ranks, 1, 1}}), sides) {}

    Resized resize() {
        if (!old_.unrecorded.empty())
            return refuse("the trace is not of the whole run");
        if (std::string reason = copy_.missing_roles(old_); !reason.empty())
            return refuse(std::move(reason));
        for (const std::vector<Index> &collective : old_.collectives)
            if (collective.size() != old_.ranks)
                return refuse("some collectives are not of all ranks");
        number();
        if (is_too_large())
            return refuse("it would be a trace of more than " + std::to_string(kMost) +
                          " tasks and calls");
        new_.kinds = old_.kinds;
        new_.ranks = ranks_;
        for (Index rank = 0; rank < ranks_; ++rank)
            add_rank(rank);
        new_.task_segments.push_back(static_cast<Index>(new_.segments.size()));
        new_.task_calls.push_back(static_cast<Index>(new_.calls.size()));
        new_.order_segments();
        for (const std::vector<Index> &collective : old_.collectives)
            add_collective(collective);
        if (std::string reason = match(); !reason.empty())
            return refuse(std::move(reason));
        return {std::move(new_), {}, copy_.recorded(), copy_.made()};
    }

  private:
    static constexpr std::size_t kMost = std::size_t{1} << 28; ///< an Index names each

    static Resized refuse(std::string reason) { return {{}, std::move(reason), {}, {}}; }

    /// The items of each rank, and the index of each item in its rank.
    struct Numbers {
        std::vector<std::vector<Index>> of_rank;
        std::vector<Index> place;

        template <class Elements, class Rank>
        void set(const Elements &elements, Index ranks, Rank rank_of) {
            of_rank.assign(ranks, {});
            place.resize(elements.size());
            for (Index i = 0; i < elements.size(); ++i) {
                std::vector<Index> &all = of_rank[rank_of(elements[i])];
                place[i] = static_cast<Index>(all.size());
                all.push_back(i);
            }
        }
    };

    void number() {
        const auto own = [](const auto &element) { return element.rank; };
        threads_.set(old_.threads, old_.ranks, own);
        tasks_.set(old_.tasks, old_.ranks, own);
        requests_.set(old_.requests, old_.ranks, own);
        calls_.set(old_.calls, old_.ranks,
                   [&](const Call &call) { return old_.tasks[call.task].rank; });
        waits_.assign(old_.tasks.size(), {});
        for (const Wait &wait : old_.waits)
            waits_[wait.task].push_back(wait);
        constructs_.set(old_.constructs, old_.ranks, [&](const Construct &construct) {
            return old_.threads[construct.thread].rank;
        });
        exclusions_.set(old_.exclusions, old_.ranks, [&](const Exclusion &exclusion) {
            return old_.tasks[exclusion.task].rank;
        });
        for (const Exclusion &exclusion : old_.exclusions)
            mutexes_ = std::max(mutexes_, exclusion.mutex + 1);
        holdings_.set(old_.holdings, old_.ranks,
                      [&](const Holding &holding) { return old_.threads[holding.thread].rank; });
        for (const Holding &holding : old_.holdings)
            held_mutexes_ = std::max(held_mutexes_, holding.mutex + 1);
        fulfilments_.set(old_.fulfilments, old_.ranks, [&](const Fulfilment &fulfilment) {
            return old_.threads[fulfilment.thread].rank;
        });
        dependences_.assign(old_.ranks, {});
        for (const Dependence &dependence : old_.dependences)
            dependences_[old_.tasks[dependence.from].rank].push_back(dependence);
    }

    bool is_too_large() const {
        std::vector<std::size_t> of_rank(old_.ranks, 0);
        for (Index task = 0; task < old_.tasks.size(); ++task)
            of_rank[old_.tasks[task].rank] +=
                1 + old_.segments_of(task).size() + old_.calls_of(task).size();
        std::size_t sum = 0;
        for (Index rank = 0; rank < ranks_; ++rank)
            sum += of_rank[copy_.model_of(rank)];
        return sum > kMost;
    }

    void add_rank(Index rank) {
        const Index model = copy_.model_of(rank);
        const auto first_thread = static_cast<Index>(new_.threads.size());
        const auto first_task = static_cast<Index>(new_.tasks.size());
        const auto first_request = static_cast<Index>(new_.requests.size());
        const auto first_call = static_cast<Index>(new_.calls.size());
        const auto moved = [](Index old, const Numbers &numbers, Index first) {
            return old == kNone ? kNone : first + numbers.place[old];
        };
        first_request_.push_back(first_request);
        new_.hosts.push_back(rank);
        if (model < old_.runs.size())
            new_.runs.push_back(old_.runs[model]);
        for (const Index i : threads_.of_rank[model]) {
            new_.threads.push_back({rank, old_.threads[i].number, old_.threads[i].stands_in});
            if (has_cpu_clocks(old_))
                new_.cpu_clocks.push_back(old_.cpu_clocks[i]);
        }
        for (const Index i : tasks_.of_rank[model]) {
            Task task = old_.tasks[i];
            task.rank = rank;
            task.parent = moved(task.parent, tasks_, first_task);
            task.owner = moved(task.owner, tasks_, first_task);
            task.creator = moved(task.creator, threads_, first_thread);
            const auto name = static_cast<Index>(new_.tasks.size());
            new_.tasks.push_back(task);
            new_.task_segments.push_back(static_cast<Index>(new_.segments.size()));
            for (Segment segment : old_.segments_of(i)) {
                segment.task = name;
                segment.thread = moved(segment.thread, threads_, first_thread);
                new_.segments.push_back(segment);
            }
            new_.task_calls.push_back(static_cast<Index>(new_.calls.size()));
            for (Call call : old_.calls_of(i)) {
                const auto changes = old_.changes_of(call);
                call.task = name;
                call.thread = moved(call.thread, threads_, first_thread);
                call.first_change = static_cast<Index>(new_.changes.size());
                for (const Change &change : changes)
                    new_.changes.push_back(
                        {moved(change.request, requests_, first_request), change.completes});
                new_.calls.push_back(call);
            }
            for (Wait wait : waits_[i]) {
                wait.task = name;
                wait.thread = moved(wait.thread, threads_, first_thread);
                wait.undeferred = moved(wait.undeferred, tasks_, first_task);
                new_.waits.push_back(wait);
            }
        }
        for (const Index i : requests_.of_rank[model]) {
            Request request = old_.requests[i];
            request.rank = rank;
            if (request.peer != kNone)
                request.peer = copy_.peer_of(rank, model, request.peer);
            request.start_call = moved(request.start_call, calls_, first_call);
            request.completion_call = moved(request.completion_call, calls_, first_call);
            new_.requests.push_back(request);
        }
        for (const Index i : exclusions_.of_rank[model])
            new_.exclusions.push_back({moved(old_.exclusions[i].task, tasks_, first_task),
                                       old_.exclusions[i].mutex + rank * mutexes_});
        for (const Index i : holdings_.of_rank[model]) {
            Holding holding = old_.holdings[i];
            holding.task = moved(holding.task, tasks_, first_task);
            holding.thread = moved(holding.thread, threads_, first_thread);
            holding.mutex += rank * held_mutexes_;
            new_.holdings.push_back(holding);
        }
        for (const Index i : fulfilments_.of_rank[model]) {
            Fulfilment fulfilment = old_.fulfilments[i];
            fulfilment.task = moved(fulfilment.task, tasks_, first_task);
            fulfilment.by = moved(fulfilment.by, tasks_, first_task);
            fulfilment.thread = moved(fulfilment.thread, threads_, first_thread);
            new_.fulfilments.push_back(fulfilment);
        }
        for (const Index i : constructs_.of_rank[model]) {
            Construct construct = old_.constructs[i];
            construct.task = moved(construct.task, tasks_, first_task);
            construct.thread = moved(construct.thread, threads_, first_thread);
            new_.constructs.push_back(construct);
        }
        for (const Dependence &dependence : dependences_[model])
            new_.dependences.push_back({moved(dependence.from, tasks_, first_task),
                                        moved(dependence.to, tasks_, first_task)});
    }

    void add_collective(const std::vector<Index> &collective) {
        std::vector<Index> place(old_.ranks);
        for (const Index part : collective)
            place[old_.requests[part].rank] = requests_.place[part];
        std::vector<Index> parts;
        parts.reserve(ranks_);
        for (Index rank = 0; rank < ranks_; ++rank)
            parts.push_back(first_request_[rank] + place[copy_.model_of(rank)]);
        new_.collectives.push_back(std::move(parts));
    }

    /// The n-th send of a pair of ranks, communicator and tag matches its n-th receive.
    std::string match() {
        std::vector<bool> matched(old_.requests.size(), false);
        for (const Message &message : old_.messages)
            matched[message.send] = matched[message.receive] = true;
        using Envelope = std::tuple<Index, Index, Index, std::int32_t>;
        std::map<Envelope, std::pair<std::vector<Index>, std::vector<Index>>> pairs;
        for (Index rank = 0; rank < ranks_; ++rank)
            for (const Index old : requests_.of_rank[copy_.model_of(rank)]) {
                if (!matched[old])
                    continue;
                const Index i = first_request_[rank] + requests_.place[old];
                const Request &request = new_.requests[i];
                if (request.kind == RequestKind::receive)
                    pairs[{request.peer, rank, request.communicator, request.tag}].second.push_back(
                        i);
                else
                    pairs[{rank, request.peer, request.communicator, request.tag}].first.push_back(
                        i);
            }
        const auto earlier = [&](Index a, Index b) {
            return new_.requests[a].started < new_.requests[b].started;
        };
        for (auto &[envelope, both] : pairs) {
            auto &[sends, receives] = both;
            if (sends.size() != receives.size())
                return (found_ ? "ranks are not alike in a grid of " + copy_.recorded().text()
                               : "ranks are alike in no line, grid or cube") +
                       ", so record as many as you need; in one of " + copy_.made().text() +
                       ", rank " + std::to_string(std::get<0>(envelope)) + " would send " +
                       std::to_string(sends.size()) + " messages with tag " +
                       std::to_string(std::get<3>(envelope)) + " to rank " +
                       std::to_string(std::get<1>(envelope)) + ", which would receive " +
                       std::to_string(receives.size());
            std::stable_sort(sends.begin(), sends.end(), earlier);
            std::stable_sort(receives.begin(), receives.end(), earlier);
            for (std::size_t i = 0; i < sends.size(); ++i)
                new_.messages.push_back({sends[i], receives[i]});
        }
        return {};
    }

    const Trace &old_;
    const Index ranks_;
    const bool found_;
    const GridCopy copy_;
    Trace new_;
    Numbers threads_;
    Numbers tasks_;
    Numbers requests_;
    Numbers calls_;
    Numbers constructs_;
    Numbers exclusions_;
    Index mutexes_ = 0;
    Numbers holdings_;
    Index held_mutexes_ = 0;
    Numbers fulfilments_;
    std::vector<std::vector<Wait>> waits_; ///< the waits of each task
    std::vector<std::vector<Dependence>> dependences_;
    std::vector<Index> first_request_; ///< the first request of each new rank
};

using Name = std::pair<std::string, std::string>;

struct KindOfSize {
    std::size_t most = 0; ///< tasks of a rank
    std::size_t count = 0;
    Time code = 0;

    double mean() const { return static_cast<double>(code) / static_cast<double>(count); }
};

/// The kinds of the tasks of ranks in corners, which any grid has; of all ranks without a grid.
std::map<Name, KindOfSize> kinds_of(const Trace &trace) {
    std::map<Name, KindOfSize> kinds;
    std::map<Name, std::vector<std::size_t>> of_rank;
    const std::optional<Sides> sides = find_grid(trace);
    for (Index i = 0; i < trace.tasks.size(); ++i) {
        const Task &task = trace.tasks[i];
        if (task.implicit || task.kind == kNone || trace.segments_of(i).empty() ||
            (sides && !is_corner(*sides, task.rank)))
            continue;
        const Name name{trace.kinds[task.kind].label, trace.kinds[task.kind].source};
        KindOfSize &kind = kinds[name];
        std::vector<std::size_t> &counts = of_rank[name];
        counts.resize(trace.ranks);
        kind.most = std::max(kind.most, ++counts[task.rank]);
        ++kind.count;
        visit_code(trace, i, [&](const Stretch &stretch) {
            kind.code += cpu_time(trace, stretch.thread, {stretch.begin, stretch.end});
        });
    }
    return kinds;
}

/// How long messages take: the fastest of all for none, and more for each byte. Only the quotient
/// of both counts.
struct MessageCost {
    double latency = 1;
    double per_byte = 0;

    MessageCost(const Trace &trace, const Transport &transport) {
        std::uint64_t largest = 0;
        Time fastest = kNever;
        for (const Message &message : trace.messages) {
            const std::uint64_t bytes = trace.requests[message.send].bytes;
            largest = std::max(largest, bytes);
            fastest = std::min(fastest, transport.of_size(bytes).time);
        }
        if (largest == 0 || fastest == 0)
            return;
        latency = static_cast<double>(fastest);
        per_byte = static_cast<double>(transport.of_size(largest).time - fastest) /
                   static_cast<double>(largest);
    }
};

std::set<std::uint64_t> sizes_of_messages(const Trace &trace) {
    std::set<std::uint64_t> sizes;
    for (const Message &message : trace.messages)
        sizes.insert(trace.requests[message.send].bytes);
    return sizes;
}

} // namespace

Resized with_ranks(const Trace &trace, Index ranks) {
    const std::optional<Sides> found = find_grid(trace);
    const Sides recorded = found.value_or(Sides{{trace.ranks, 1, 1}});
    const std::optional<Sides> sides = continue_grid(recorded, ranks);
    if (!sides)
        return {{},
                "the trace's ranks are a grid of " + recorded.text() + ", and " +
                    std::to_string(ranks) + " are none with as many axes",
                {},
                {}};
    return Resizer(trace, found, *sides).resize();
}

Resized with_ranks(const Trace &trace, const Sides &sides) {
    return Resizer(trace, find_grid(trace), sides).resize();
}

Scaling learn_scaling(std::span<const Trace *const> traces) {
    constexpr double kAlike = 0.15;   // noise: an exponent this close to 0 or -1 becomes it
    constexpr double kApart = 0.2;    // deviation of the middle size from the others' power law
    constexpr double kMatters = 0.01; // share of the work: kinds with less may scale freely
    Scaling found;
    const Trace &last = *traces.back();
    std::vector<std::map<Name, KindOfSize>> sizes;
    for (const Trace *trace : traces) {
        sizes.push_back(kinds_of(*trace));
        if (trace != traces.front() && trace->messages.empty() != traces.front()->messages.empty())
            continue; // a run on one rank sends none
        const std::set<std::uint64_t> now = sizes_of_messages(*trace);
        const std::set<std::uint64_t> before = sizes_of_messages(*traces.front());
        if (!std::includes(now.begin(), now.end(), before.begin(), before.end()))
            found.reason = "messages change their sizes with the number of ranks";
    }
    Time work = 0;
    for (const auto &[name, kind] : sizes.back())
        work += kind.code;
    for (const Kind &kind : last.kinds) {
        const Name name{kind.label, kind.source};
        found.exponents.push_back(0);
        const auto of_last = sizes.back().find(name);
        if (of_last == sizes.back().end() ||
            static_cast<double>(of_last->second.code) < kMatters * static_cast<double>(work))
            continue;
        const KindOfSize &largest = of_last->second;
        for (std::size_t i = 0; i + 1 < traces.size(); ++i)
            if (const KindOfSize &other = sizes[i][name]; other.most != largest.most)
                found.reason = "a rank has " + std::to_string(other.most) + " tasks of " +
                               kind.label + " with " + std::to_string(traces[i]->ranks) +
                               " ranks, and " + std::to_string(largest.most) + " with " +
                               std::to_string(last.ranks);
        if (!found.holds())
            break;
        const KindOfSize &smallest = sizes.front()[name];
        if (smallest.code == 0)
            continue;
        const auto logarithm = [&](const Trace &trace) {
            return std::log(static_cast<double>(trace.ranks) /
                            static_cast<double>(traces.front()->ranks));
        };
        double exponent = std::log(largest.mean() / smallest.mean()) / logarithm(last);
        for (const double whole : {0.0, -1.0})
            if (std::abs(exponent - whole) < kAlike)
                exponent = whole;
        for (std::size_t i = 1; i + 1 < traces.size(); ++i) {
            const double said = smallest.mean() * std::exp(exponent * logarithm(*traces[i]));
            if (std::abs(sizes[i][name].mean() / said - 1) > kApart)
                found.reason = "how long " + kind.label +
                               " takes is no power of the number of "
                               "ranks";
        }
        found.exponents.back() = exponent;
    }
    if (!found.holds())
        found.exponents.clear();
    return found;
}

Scaling told_scaling(const Trace &trace, double exponent) {
    return {std::vector<double>(trace.kinds.size(), exponent), {}};
}

Program make_resized_program(const Trace &trace, const Trace &resized, const Scaling &scaling) {
    Program program = make_program(resized);
    const double quotient = static_cast<double>(resized.ranks) / static_cast<double>(trace.ranks);
    for (Index task = 0; task < program.tasks; ++task) {
        const Index kind = resized.tasks[task].kind;
        if (kind == kNone || scaling.exponents[kind] == 0)
            continue;
        const double factor = std::pow(quotient, scaling.exponents[kind]);
        for (Index step = program.first_step[task]; step < program.first_step[task + 1]; ++step)
            if (program.steps[step].kind == Step::code)
                program.steps[step].duration =
                    std::llround(static_cast<double>(program.steps[step].duration) * factor);
    }
    const Transport was = measure_transport(trace);
    Transport &now = program.transport;
    now.by_size = was.by_size;
    for (const Message &message : resized.messages)
        now.duration[message.send] = now.duration[message.receive] =
            was.of_size(resized.requests[message.send].bytes).time;
    const MessageCost cost(trace, was);
    for (std::size_t i = 0; i < resized.collectives.size(); ++i) {
        Time fastest = kNever;
        std::uint64_t bytes = 0;
        for (const Index part : trace.collectives[i]) {
            fastest = std::min(fastest, was.duration[part]);
            bytes = std::max(bytes, trace.requests[part].bytes);
        }
        const CollectiveKind kind = collective_kind_of(trace, trace.collectives[i].front());
        const auto cost_on = [&](Index ranks) {
            return collective_time(kind, ranks, cost.latency,
                                   cost.per_byte * static_cast<double>(bytes));
        };
        const Time time = std::llround(static_cast<double>(fastest) * cost_on(resized.ranks) /
                                       cost_on(std::max<Index>(2, trace.ranks)));
        for (const Index part : resized.collectives[i])
            now.duration[part] = time;
    }
    return program;
}

} // namespace loomp::analysis
