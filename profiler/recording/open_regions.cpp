#include "profiler/recording/open_regions.h"

#include <algorithm>
#include <limits>
#include <map>

namespace loomp::analysis {

namespace {

using record::Event;
using record::Record;

std::string name_in(const RecordedProcess &process, std::uint64_t number) {
    return number == 0 || number > process.labels.size() ? "" : process.labels[number - 1];
}

/// The region events of one task, or of a thread outside of tasks.
using Calls = std::vector<const Record *>;

/// Returns the calls of each task. Calls outside tasks have the thread's number, which no task has.
std::map<std::uint64_t, Calls> calls_by_task(const RecordedProcess &process) {
    std::map<std::uint64_t, Calls> calls;
    for (const RecordedThread &thread : process.threads)
        for (const Record &record : thread.records)
            if (record.event == Event::user_begin || record.event == Event::user_end)
                calls[record.task == 0 ? thread.number : record.task].push_back(&record);
    // A task is on one thread at a time.
    for (auto &[task, of] : calls)
        std::stable_sort(of.begin(), of.end(),
                         [](const Record *a, const Record *b) { return a->time < b->time; });
    return calls;
}

void add(OpenRegions::Misuse &misuse, const std::string &name) {
    if (misuse.count++ == 0)
        misuse.first = name;
}

} // namespace

std::size_t ending(std::span<const std::uint32_t> open, const Record &end) {
    if (open.empty() || end.detail == record::kInnermost)
        return open.empty() ? 0 : open.size() - 1;
    const auto found = std::find(open.rbegin(), open.rend(), end.other);
    return found == open.rend() ? open.size()
                                : static_cast<std::size_t>(found.base() - open.begin()) - 1;
}

OpenRegions::OpenRegions(const RecordedProcess &process) {
    const bool whole = process.ended != kNever &&
                       std::all_of(process.threads.begin(), process.threads.end(),
                                   [](const RecordedThread &thread) {
                                       return thread.known_from == std::numeric_limits<Time>::min();
                                   });
    // Regions that a thread begins before its OpenMP runtime starts may end in its initial task.
    std::map<std::uint64_t, std::vector<std::uint32_t>> outside;
    for (const auto &[task, calls] : calls_by_task(process)) {
        const bool in_task = record::thread_of(task) != 0;
        std::vector<std::uint32_t> own;
        std::vector<std::uint32_t> &open = in_task ? own : outside[task];
        std::vector<std::uint32_t> lists; // the node for each of `open`
        std::vector<State> *states =
            in_task && !record::is_implicit(task) ? &states_[task] : nullptr;
        const auto push = [&](std::uint32_t name) {
            open.push_back(name);
            lists.push_back(static_cast<std::uint32_t>(nodes_.size()));
            nodes_.push_back({name, lists.size() > 1 ? lists[lists.size() - 2] : kEnd});
        };
        for (const Record *record : calls) {
            if (record->event == Event::user_begin) {
                push(static_cast<std::uint32_t>(record->other));
            } else if (const std::size_t at = ending(open, *record); at < open.size()) {
                const std::vector<std::uint32_t> inner(
                    open.begin() + static_cast<std::ptrdiff_t>(at) + 1, open.end());
                open.resize(at);
                lists.resize(std::min(lists.size(), at));
                for (const std::uint32_t name : inner)
                    push(name);
            } else if (auto &more = outside[record::thread_of(task)];
                       record::is_implicit(task) && ending(more, *record) < more.size()) {
                more.erase(more.begin() + static_cast<std::ptrdiff_t>(ending(more, *record)));
            } else if (whole) {
                add(without_begin_, name_in(process, record->other));
            }
            if (states != nullptr)
                states->push_back({record->time, lists.empty() ? kEnd : lists.back()});
        }
        for (const std::uint32_t name : own)
            if (whole)
                add(without_end_, name_in(process, name));
    }
    for (const auto &[thread, open] : outside)
        for (const std::uint32_t name : open)
            if (whole)
                add(without_end_, name_in(process, name));
}

std::vector<std::uint32_t> OpenRegions::of_task(std::uint64_t task, std::uint64_t time) const {
    std::vector<std::uint32_t> open;
    const auto state = states_.find(task);
    if (state == states_.end())
        return open;
    const auto after =
        std::lower_bound(state->second.begin(), state->second.end(), time,
                         [](const State &state, std::uint64_t at) { return state.since < at; });
    if (after == state->second.begin())
        return open;
    for (std::uint32_t at = std::prev(after)->innermost; at != kEnd; at = nodes_[at].outer)
        open.push_back(nodes_[at].name);
    std::reverse(open.begin(), open.end());
    return open;
}

} // namespace loomp::analysis
