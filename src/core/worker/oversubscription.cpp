#include "core/worker/oversubscription.h"

#include <algorithm>
#include <limits>

#include "core/environment/settings.h"
#include "core/environment/topology.h"
#include "core/worker/worker.h"

namespace loomp::core {

namespace oversubscription {

std::atomic<int> own_threads{0};
std::atomic<int> foreign_workers{0};
int processors = 0;
unsigned spin_limits[2] = {};

namespace {

bool is_active(const Worker &foreign) {
    const bool asleep = (foreign.rest.seen() & 1) != 0;
    return !foreign.regions.none() && !(foreign.regions.only_alone() && asleep);
}

} // namespace

bool looks_oversubscribed(int own_threads) {
    int active = own_threads;
    for (const Worker *worker = first_foreign_worker(); worker != nullptr && active <= processors;
         worker = worker->next_foreign)
        active += is_active(*worker) ? 1 : 0;
    return active > processors;
}

} // namespace oversubscription

void initialize_oversubscription() {
    oversubscription::processors = static_cast<int>(available_processors());
    constexpr std::uint64_t most = std::numeric_limits<unsigned>::max();
    const Settings &s = settings();
    oversubscription::spin_limits[0] = static_cast<unsigned>(std::min(s.spin_count, most));
    oversubscription::spin_limits[1] =
        static_cast<unsigned>(std::min(s.spin_count_oversubscribed, most));
}

void forget_active_threads_after_fork() {
    oversubscription::own_threads.store(0, std::memory_order_relaxed);
}

} // namespace loomp::core
