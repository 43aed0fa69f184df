// Numbers of the threads that run tasks: they start at 0 and stay below a bound that is known from
// the start.
#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <new>

#include "platform/export.h"
#include "platform/system_mutex.h"
#include "platform/threads.h"
#include "runtime/alpi/alpi_diagnostics.h"
#include "runtime/alpi/openmp_calls.h"
#include "runtime/alpi/self.h"

namespace {

using namespace loomp::alpi;

constexpr long kMost = 1 << 16;

/// Returns how many threads OMP_NUM_THREADS requests on all active levels.
long asked_for() {
    long threads = 1;
    const char *list = std::getenv("OMP_NUM_THREADS");
    for (int level = 0; list != nullptr && level < omp_get_max_active_levels(); ++level) {
        char *end = nullptr;
        threads = std::min(kMost, threads * std::clamp(std::strtol(list, &end, 10), 1L, kMost));
        list = *end == ',' ? end + 1 : nullptr;
    }
    return threads;
}

long thread_count() {
    static const long count = std::max<long>(omp_get_num_procs(), asked_for());
    return count;
}

loomp::SystemMutex lock; ///< guards the following two
std::bitset<kMost> taken;
bool has_told = false;

/// A thread's number, from its first request until the thread ends.
struct Number {
    long value = -1;
    ~Number() {
        if (value < 0)
            return;
        const std::lock_guard guard(lock);
        taken.reset(static_cast<std::size_t>(value));
    }
};
LOOMP_THREAD_LOCAL Number own_number;

/// Returns -1, with one line on stderr, if more threads request a number than there are.
long number_of_thread() {
    if (own_number.value >= 0)
        return own_number.value;
    const std::lock_guard guard(lock);
    for (long number = 0; number < thread_count(); ++number)
        if (!taken.test(static_cast<std::size_t>(number))) {
            taken.set(static_cast<std::size_t>(number));
            return own_number.value = number;
        }
    if (!has_told)
        warn("alpi_cpu_logical_id(): more threads ask than alpi_cpu_count() said there are, %ld: "
             "set OMP_NUM_THREADS to the number that the program uses",
             thread_count());
    has_told = true;
    return -1;
}

/// In the child of fork() the calling thread keeps its number, and no other has one.
[[maybe_unused]] const int watches_forks = loomp::handle_forks(nullptr, nullptr, [] {
    new (&lock) loomp::SystemMutex;
    taken.reset();
    if (own_number.value >= 0)
        taken.set(static_cast<std::size_t>(own_number.value));
});

} // namespace

LOOMP_EXPORT int alpi_cpu_count(uint64_t *count) {
    if (count == nullptr)
        return ALPI_ERR_PARAMETER;
    *count = static_cast<std::uint64_t>(thread_count());
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_cpu_logical_id(uint64_t *logical_id) {
    if (logical_id == nullptr)
        return ALPI_ERR_PARAMETER;
    if (running_task() == nullptr)
        return ALPI_ERR_OUTSIDE_TASK;
    const long number = number_of_thread();
    if (number < 0)
        return ALPI_ERR_UNKNOWN;
    *logical_id = static_cast<std::uint64_t>(number);
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_cpu_system_id(uint64_t *system_id) {
    if (system_id == nullptr)
        return ALPI_ERR_PARAMETER;
    if (running_task() == nullptr)
        return ALPI_ERR_OUTSIDE_TASK;
    const int id = loomp::current_processor();
    if (id < 0)
        return ALPI_ERR_UNKNOWN;
    *system_id = static_cast<std::uint64_t>(id);
    return ALPI_SUCCESS;
}
