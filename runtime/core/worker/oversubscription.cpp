#include "runtime/core/worker/oversubscription.h"

#include <algorithm>
#include <limits>

#include "platform/locks_at_fork.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/environment/waiting_settings.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace oversubscription {

Atomic<int> own_threads{0};
Atomic<int> foreign_workers{0};
int processors = 0;
Atomic<unsigned> spin_limits[2] = {};

namespace {

const LocksAtFork at_fork([] { own_threads.store(0, std::memory_order_relaxed); });

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
    note_processors();
    choose_spin(-1);
}

void note_processors() { oversubscription::processors = static_cast<int>(available_processors()); }

void choose_spin(std::int64_t looks) {
    const WaitingSettings &s = waiting_settings();
    std::uint64_t counts[2] = {s.spin_count, s.spin_count_oversubscribed};
    if (looks >= 0) {
        counts[0] = static_cast<std::uint64_t>(looks);
        counts[1] = std::min(counts[0], kMostLooksWithoutRoom);
    }
    constexpr std::uint64_t most = std::numeric_limits<unsigned>::max();
    for (int i = 0; i < 2; ++i)
        oversubscription::spin_limits[i].store(static_cast<unsigned>(std::min(counts[i], most)),
                                               std::memory_order_relaxed);
}

} // namespace loomp::core
