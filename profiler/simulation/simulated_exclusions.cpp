#include "profiler/simulation/simulated_exclusions.h"

#include <algorithm>

namespace loomp::analysis {

SimulatedExclusions::SimulatedExclusions(const Trace &trace) : all_(trace.exclusions) {
    Index mutexes = 0;
    for (const Exclusion &exclusion : all_)
        mutexes = std::max(mutexes, exclusion.mutex + 1);
    mutexes_.resize(mutexes);
    if (mutexes > 0)
        next_aside_.assign(trace.tasks.size(), kNone);
}

std::span<const Exclusion> SimulatedExclusions::of(Index task) const {
    if (all_.empty())
        return {};
    const auto first =
        std::lower_bound(all_.begin(), all_.end(), task,
                         [](const Exclusion &exclusion, Index t) { return exclusion.task < t; });
    const auto last =
        std::find_if(first, all_.end(), [&](const Exclusion &e) { return e.task != task; });
    return {first, last};
}

void SimulatedExclusions::set_aside(Mutex &mutex, Index task) {
    next_aside_[task] = kNone;
    (mutex.first == kNone ? mutex.first : next_aside_[mutex.last]) = task;
    mutex.last = task;
}

bool SimulatedExclusions::take(Index task) {
    const auto own = of(task);
    for (const Exclusion &exclusion : own)
        if (Mutex &mutex = mutexes_[exclusion.mutex]; mutex.owner != kNone && mutex.owner != task) {
            set_aside(mutex, task);
            return false;
        }
    for (const Exclusion &exclusion : own)
        mutexes_[exclusion.mutex].owner = task;
    return true;
}

std::vector<Index> SimulatedExclusions::release(Index task) {
    std::vector<Index> next;
    const auto own = of(task);
    for (const Exclusion &exclusion : own)
        if (Mutex &mutex = mutexes_[exclusion.mutex]; mutex.owner == task)
            mutex.owner = kNone;
    for (const Exclusion &exclusion : own) {
        Mutex &mutex = mutexes_[exclusion.mutex];
        while (mutex.owner == kNone && mutex.first != kNone) {
            const Index waiting = mutex.first;
            mutex.first = next_aside_[waiting];
            if (take(waiting))
                next.push_back(waiting);
        }
    }
    return next;
}

} // namespace loomp::analysis
