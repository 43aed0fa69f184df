#include "analysis/inflation.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include "analysis/code.h"

namespace loomp::analysis {

namespace {

double ratio_of(Time observed, Time reference) {
    if (reference == 0)
        return observed == 0 ? 1 : std::numeric_limits<double>::infinity();
    return static_cast<double>(observed) / static_cast<double>(reference);
}

/// What makes one the same as another in another run; `number` counts those alike.
template <typename Key> struct Item {
    Key key;
    std::size_t number = 0;
    Index index = 0;
    Time time = 0;

    auto name() const { return std::tie(key, number); }
};

/// `items`, which are in order of time, with their numbers, ordered by name.
template <typename Key> void number(std::vector<Item<Key>> &items) {
    std::stable_sort(items.begin(), items.end(),
                     [](const auto &a, const auto &b) { return a.key < b.key; });
    for (std::size_t i = 1; i < items.size(); ++i)
        if (items[i].key == items[i - 1].key)
            items[i].number = items[i - 1].number + 1;
}

template <typename Key>
Inflations pair_up(std::vector<Item<Key>> reference, std::vector<Item<Key>> observed) {
    number(reference);
    number(observed);
    Inflations result;
    auto a = reference.begin();
    auto b = observed.begin();
    while (a != reference.end() && b != observed.end()) {
        if (a->name() < b->name()) {
            ++a;
        } else if (b->name() < a->name()) {
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
        code[stretch.task] += stretch.end - stretch.begin;
    std::vector<Item<TaskKey>> items;
    for (Index i = 0; i < trace.tasks.size(); ++i) {
        const Task &task = trace.tasks[i];
        if (!task.implicit)
            items.push_back({{task.rank, task.kind == kNone ? "" : trace.kinds[task.kind].label},
                             0,
                             i,
                             code[i]});
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
                         0,
                         i,
                         trace.flight(message).length()});
    }
    return items; // those of one envelope are in order of start: analysis/matching.h
}

} // namespace

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
