#include "profiler/simulation/simulated_exclusions.h"

#include <algorithm>

namespace loomp::analysis {

SimulatedExclusions::SimulatedExclusions(const Trace &trace) : all_(trace.exclusions) {
    Index mutexes = 0;
    for (const Exclusion &exclusion : all_)
        mutexes = std::max(mutexes, exclusion.mutex + 1);
    mutexes_.resize(mutexes);
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

bool SimulatedExclusions::take(Index task) {
    const auto own = of(task);
    for (const Exclusion &exclusion : own)
        if (Mutex &mutex = mutexes_[exclusion.mutex]; mutex.owner != kNone && mutex.owner != task) {
            mutex.aside.push_back(task);
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
        mutexes_[exclusion.mutex].owner = kNone;
    for (const Exclusion &exclusion : own) {
        Mutex &mutex = mutexes_[exclusion.mutex];
        while (mutex.owner == kNone && !mutex.aside.empty()) {
            const Index waiting = mutex.aside.front();
            mutex.aside.pop_front();
            if (take(waiting))
                next.push_back(waiting);
        }
    }
    return next;
}

} // namespace loomp::analysis
