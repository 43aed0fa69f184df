#include "profiler/metrics/inflation.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>

#include "profiler/trace/code.h"

namespace loomp::analysis {

namespace {

double ratio_of(Time observed, Time reference) {
    if (reference == 0)
        return observed == 0 ? 1 : std::numeric_limits<double>::infinity();
    return static_cast<double>(observed) / static_cast<double>(reference);
}

/// A task or message. The n-th one with a key matches the n-th one with it in the other run.
template <typename Key> struct Item {
    Key key;
    Index index = 0;
    Time time = 0;
};

/// Sorts `items` by key; those with one key stay in order of time.
template <typename Key> void sort_by_key(std::vector<Item<Key>> &items) {
    std::stable_sort(items.begin(), items.end(),
                     [](const auto &a, const auto &b) { return a.key < b.key; });
}

template <typename Key>
Inflations pair_up(std::vector<Item<Key>> reference, std::vector<Item<Key>> observed) {
    sort_by_key(reference);
    sort_by_key(observed);
    Inflations result;
    auto a = reference.begin();
    auto b = observed.begin();
    while (a != reference.end() && b != observed.end()) {
        if (a->key < b->key) {
            ++a;
        } else if (b->key < a->key) {
            ++b;
        } else {
            result.pairs.push_back({a->index, b->index, a->time, b->time});
            ++a;
            ++b;
        }
    }
    result.only_reference = reference.size() - result.pairs.size();
    result.only_observed = observed.size() - result.pairs.size();
    std::sort(result.pairs.begin(), result.pairs.end(), [](const Pair &first, const Pair &second) {
        return first.reference < second.reference;
    });
    return result;
}

using TaskKey = std::tuple<Index, std::string>;
using MessageKey = std::tuple<Index, Index, Index, std::int32_t>;

std::vector<Item<TaskKey>> tasks_of(const Trace &trace) {
    std::vector<Time> code(trace.tasks.size(), 0);
    for (const Stretch &stretch : code_of(trace))
        if (const Index owner = trace.tasks[stretch.task].owner; owner != kNone)
            code[owner] += stretch.end - stretch.begin;
    std::vector<Item<TaskKey>> items;
    for (Index i = 0; i < trace.tasks.size(); ++i) {
        const Task &task = trace.tasks[i];
        if (!task.implicit)
            items.push_back(
                {{task.rank, task.kind == kNone ? "" : trace.kinds[task.kind].label}, i, code[i]});
    }
    std::stable_sort(items.begin(), items.end(), [&](const auto &a, const auto &b) {
        return trace.tasks[a.index].created < trace.tasks[b.index].created;
    });
    return items;
}

std::vector<Item<MessageKey>> messages_of(const Trace &trace) {
    std::vector<Item<MessageKey>> items;
    for (Index i = 0; i < trace.messages.size(); ++i) {
        const Message &message = trace.messages[i];
        const Request &send = trace.requests[message.send];
        items.push_back({{send.communicator, send.rank, send.peer, send.tag},
                         i,
                         trace.flight(message).length()});
    }
    return items; // profiler/build/matching.h: those of one envelope are in order of start
}

/// `kind_of(pair)` is a kind of the reference.
template <typename KindOf>
std::vector<InflationOf> group(const Trace &reference, const Inflations &inflations,
                               KindOf kind_of) {
    std::vector<InflationOf> kinds(reference.kinds.size() + 1); // the last: none
    for (const Pair &pair : inflations.pairs) {
        InflationOf &sum = kinds[std::min<std::size_t>(kind_of(pair), reference.kinds.size())];
        ++sum.pairs;
        sum.reference += pair.reference_time;
        sum.observed += pair.observed_time;
    }
    std::map<std::string, InflationOf> labels; // kinds of several ranks may share one
    for (Index i = 0; i < kinds.size(); ++i) {
        if (kinds[i].pairs == 0)
            continue;
        const std::string label = label_of(reference, i == reference.kinds.size() ? kNone : i);
        InflationOf &sum = labels.try_emplace(label, label).first->second;
        sum.pairs += kinds[i].pairs;
        sum.reference += kinds[i].reference;
        sum.observed += kinds[i].observed;
    }
    std::vector<InflationOf> sorted;
    sorted.reserve(labels.size());
    for (auto &[label, sum] : labels)
        sorted.push_back(std::move(sum));
    std::stable_sort(sorted.begin(), sorted.end(), [](const InflationOf &a, const InflationOf &b) {
        return a.reference > b.reference;
    });
    return sorted;
}

} // namespace

double InflationOf::ratio() const { return ratio_of(observed, reference); }

std::vector<InflationOf> by_kind(const Trace &reference, const Inflations &work) {
    return group(reference, work,
                 [&](const Pair &pair) { return reference.tasks[pair.reference].kind; });
}

std::vector<InflationOf> by_function(const Trace &reference, const Inflations &communication) {
    return group(reference, communication, [&](const Pair &pair) {
        const Index call = reference.requests[reference.messages[pair.reference].send].start_call;
        return call == kNone ? kNone : reference.calls[call].function;
    });
}

double Pair::ratio() const { return ratio_of(observed_time, reference_time); }

double Inflations::ratio() const {
    Time reference = 0;
    Time observed = 0;
    for (const Pair &pair : pairs) {
        reference += pair.reference_time;
        observed += pair.observed_time;
    }
    return ratio_of(observed, reference);
}

Inflations work_inflation(const Trace &reference, const Trace &observed) {
    return pair_up(tasks_of(reference), tasks_of(observed));
}

Inflations communication_inflation(const Trace &reference, const Trace &observed) {
    return pair_up(messages_of(reference), messages_of(observed));
}

} // namespace loomp::analysis
