#include "profiler/metrics/deletions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace loomp::analysis {

namespace {

/// At equal times, a deletion comes before a creation.
std::size_t most_at_once(std::vector<Time> come, std::vector<Time> gone) {
    std::sort(come.begin(), come.end());
    std::sort(gone.begin(), gone.end());
    std::size_t most = 0;
    auto left = gone.begin();
    for (std::size_t i = 0; i < come.size(); ++i) {
        while (left != gone.end() && *left <= come[i])
            ++left;
        most = std::max(most, i + 1 - static_cast<std::size_t>(left - gone.begin()));
    }
    return most;
}

} // namespace

double Deletions::mean() const {
    return delayed == 0 ? 0 : static_cast<double>(delay) / static_cast<double>(delayed);
}

std::vector<Deletions> deletions(const Trace &trace) {
    const auto is_deleted = [](const Task &task) { return task.deleted != kNever; };
    if (std::none_of(trace.tasks.begin(), trace.tasks.end(), is_deleted))
        return {};
    std::vector<Deletions> found(trace.ranks);
    std::vector<std::vector<Time>> come(trace.ranks);
    std::vector<std::vector<Time>> gone(trace.ranks);
    for (const Task &task : trace.tasks) {
        if (task.implicit || task.created == kNever)
            continue;
        Deletions &deletions = found[task.rank];
        come[task.rank].push_back(task.created);
        if (!is_deleted(task)) {
            ++deletions.left;
            continue;
        }
        ++deletions.deleted;
        gone[task.rank].push_back(task.deleted);
        if (task.ended == kNever)
            continue;
        const Time delay = std::max<Time>(0, task.deleted - task.ended);
        ++deletions.delayed;
        deletions.delay += delay;
        deletions.longest = std::max(deletions.longest, delay);
    }
    for (Index rank = 0; rank < trace.ranks; ++rank)
        found[rank].at_once = most_at_once(std::move(come[rank]), std::move(gone[rank]));
    return found;
}

} // namespace loomp::analysis
