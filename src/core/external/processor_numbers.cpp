#include "core/external/processor_numbers.h"

#include <algorithm>
#include <atomic>

#include "core/base/diagnostics.h"
#include "core/environment/settings.h"
#include "core/environment/topology.h"
#include "core/worker/worker.h"

namespace loomp::core {

namespace {

std::atomic<unsigned> given{0};

unsigned count_threads() {
    const Settings &s = settings();
    std::size_t threads = 1;
    const auto levels =
        std::min(s.num_threads.size(), static_cast<std::size_t>(std::max(1, s.max_active_levels)));
    for (std::size_t level = 0; level < levels && threads < kMaxWorkers; ++level)
        threads *= static_cast<std::size_t>(std::max(1, s.num_threads[level]));
    return std::min(kMaxWorkers, std::max(available_processors(), static_cast<unsigned>(threads)));
}

} // namespace

unsigned processor_numbers() {
    static const unsigned count = count_threads();
    return count;
}

int processor_number(Worker &worker) {
    if (LOOMP_LIKELY(worker.processor_number >= 0))
        return worker.processor_number;
    const unsigned number = given.fetch_add(1, std::memory_order_relaxed);
    if (number < processor_numbers())
        return worker.processor_number = static_cast<int>(number);
    given.fetch_sub(1, std::memory_order_relaxed);
    static std::atomic<bool> told{false};
    if (!told.exchange(true, std::memory_order_relaxed))
        warn(
            "alpi_cpu_logical_id(): more threads ask than alpi_cpu_count() said there are, %u: set "
            "OMP_NUM_THREADS to the number that the program uses",
            processor_numbers());
    return -1;
}

} // namespace loomp::core
