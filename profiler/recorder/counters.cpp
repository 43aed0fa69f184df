#include "profiler/recorder/counters.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <pthread.h>

#if __has_include(<papi.h>)
#include <papi.h>
#define LOOMP_WITH_PAPI
#endif

#include "platform/diagnostics.h"
#include "profiler/format/detail.h"
#include "profiler/recorder/recorder.h"

namespace loomp::record {

namespace {

constexpr std::size_t kMost = 16; ///< PAPI's initial value

constinit bool cpu_time = false; ///< set before anything is recorded

#ifndef LOOMP_WITH_PAPI

std::size_t begin_papi() {
    if (const char *names = std::getenv("LOOMP_TRACE_COUNTERS"); names != nullptr && *names != '\0')
        core::warn("recording: no counters: loomp was built where papi.h is not "
                   "installed (libpapi-dev)");
    return 0;
}

std::size_t papi_count() { return 0; }
bool read_papi(long long * /*values*/) { return true; }

#else

/// The library's functions, found by name.
struct Papi {
    decltype(&PAPI_library_init) library_init;
    decltype(&PAPI_thread_init) thread_init;
    decltype(&PAPI_register_thread) register_thread;
    decltype(&PAPI_create_eventset) create_eventset;
    decltype(&PAPI_add_named_event) add_named_event;
    decltype(&PAPI_start) start;
    decltype(&PAPI_stop) stop;
    decltype(&PAPI_read) read;
    decltype(&PAPI_cleanup_eventset) cleanup_eventset;
    decltype(&PAPI_destroy_eventset) destroy_eventset;
    decltype(&PAPI_strerror) strerror;
};

/// The counters that are read; the list is constant once the recording has begun.
struct Counters {
    Papi papi{};
    std::array<char[64], kMost> names{};
    std::size_t count = 0;
};
constinit Counters counters;

/// The calling thread's running event set; PAPI_NULL if it counts nothing.
int event_set() {
    int set = PAPI_NULL;
    if (counters.papi.register_thread() != PAPI_OK ||
        counters.papi.create_eventset(&set) != PAPI_OK)
        return PAPI_NULL;
    int error = PAPI_OK;
    for (std::size_t i = 0; i < counters.count && error == PAPI_OK; ++i)
        error = counters.papi.add_named_event(set, counters.names[i]);
    if (error == PAPI_OK)
        error = counters.papi.start(set);
    if (error == PAPI_OK)
        return set;
    static std::atomic_flag told = ATOMIC_FLAG_INIT;
    if (!told.test_and_set(std::memory_order_relaxed))
        core::warn("recording: a thread's counters do not start (%s): it has none",
                   counters.papi.strerror(error));
    return PAPI_NULL;
}

bool load() {
    void *library = nullptr;
    for (const char *name : {"libpapi.so.7.0", "libpapi.so.7", "libpapi.so.7.1", "libpapi.so"})
        if (library == nullptr)
            library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    Papi &papi = counters.papi;
    const auto find = [&](auto &function, const char *name) {
        using Function = std::remove_reference_t<decltype(function)>;
        function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
        return function != nullptr;
    };
    const bool found = find(papi.library_init, "PAPI_library_init") &&
                       find(papi.thread_init, "PAPI_thread_init") &&
                       find(papi.register_thread, "PAPI_register_thread") &&
                       find(papi.create_eventset, "PAPI_create_eventset") &&
                       find(papi.add_named_event, "PAPI_add_named_event") &&
                       find(papi.start, "PAPI_start") && find(papi.stop, "PAPI_stop") &&
                       find(papi.read, "PAPI_read") &&
                       find(papi.cleanup_eventset, "PAPI_cleanup_eventset") &&
                       find(papi.destroy_eventset, "PAPI_destroy_eventset") &&
                       find(papi.strerror, "PAPI_strerror");
    if (!found) {
        core::warn("recording: no counters: PAPI's library is not found "
                   "(libpapi.so.7.0)");
        return false;
    }
    if (papi.library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
        papi.thread_init(pthread_self) != PAPI_OK) {
        core::warn("recording: no counters: PAPI's library does not begin, or is of "
                   "another version than loomp was built with");
        return false;
    }
    return true;
}

/// Tries to count it together with those before it; reports the reason if that fails.
bool works(const char *name) {
    Papi &papi = counters.papi;
    int set = PAPI_NULL;
    int error = papi.create_eventset(&set);
    for (std::size_t i = 0; i < counters.count && error == PAPI_OK; ++i)
        error = papi.add_named_event(set, counters.names[i]);
    if (error == PAPI_OK)
        error = papi.add_named_event(set, name);
    if (error == PAPI_OK)
        error = papi.start(set);
    if (error == PAPI_OK) {
        long long values[kMost];
        papi.stop(set, values);
    } else {
        core::warn("recording: counter %s is not recorded: %s; papi_avail and "
                   "papi_native_avail list what this machine counts",
                   name, papi.strerror(error));
    }
    papi.cleanup_eventset(set);
    papi.destroy_eventset(&set);
    return error == PAPI_OK;
}

void enter(const char *name) {
    if (counters.count == kMost) {
        core::warn("recording: counter %s is not recorded: %zu are the most", name, kMost);
        return;
    }
    if (!works(name))
        return;
    std::snprintf(counters.names[counters.count++], sizeof counters.names[0], "%s", name);
    char line[128];
    const int size = std::snprintf(line, sizeof line, "%s %s\n", kCounterKey, name);
    append(kInfoFile, line, static_cast<std::size_t>(size));
}

std::size_t begin_papi() {
    const char *names = std::getenv("LOOMP_TRACE_COUNTERS");
    if (names == nullptr || *names == '\0' || !load())
        return 0;
    while (*names != '\0') {
        const std::size_t size = std::strcspn(names, ",");
        char name[sizeof counters.names[0]];
        std::snprintf(name, sizeof name, "%.*s", static_cast<int>(size), names);
        if (size > 0)
            enter(name);
        names += size + (names[size] == ',' ? 1 : 0);
    }
    return counters.count;
}

std::size_t papi_count() { return counters.count; }

bool read_papi(long long *values) {
    static thread_local const int set = event_set();
    return set != PAPI_NULL && counters.papi.read(set, values) == PAPI_OK;
}

#endif

} // namespace

std::uint32_t begin_counters() {
    std::uint32_t there = begin_papi() > 0 ? kCounters : 0U;
    const char *value = std::getenv("LOOMP_TRACE_CPU_TIME");
    cpu_time = value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
    if (cpu_time) {
        char line[64];
        const int size = std::snprintf(line, sizeof line, "%s %s\n", kCounterKey, kCpuTimeCounter);
        append(kInfoFile, line, static_cast<std::size_t>(size));
        there |= kCounters | kCpuTime;
    }
    return there;
}

namespace {

/// The cost of reading for the thread. Reading the CPU clock enters the kernel. It costs more than
/// the rest of the recording and more than a small task, so it is not counted as the program's
/// time. The wall clock, which is read anyway and costs a tenth, measures the rest, unless the
/// thread lost its processor meanwhile.
class ReadingCosts {
  public:
    /// The clock without the cost of reading.
    std::uint64_t without(std::uint64_t clock) {
        return latest_ = std::max(latest_, clock - std::min(clock, sum_));
    }
    void add(std::uint64_t since) {
        const std::uint64_t cost = now() - since;
        least_ = std::min(least_, cost);
        // A reading that takes many times as long has waited for a processor.
        constexpr std::uint64_t kMost = 16;
        sum_ += cost < kMost * least_ ? cost : least_;
    }

  private:
    std::uint64_t least_ = 1000; ///< ns; least cost of all readings, or a plausible one
    std::uint64_t sum_ = 0;
    std::uint64_t latest_ = 0; ///< last result of without(): it must not decrease
};

} // namespace

void add_counters(std::uint64_t time) {
    static thread_local ReadingCosts costs;
    long long values[kMost + 2] = {};
    std::size_t count = papi_count();
    // If PAPI's counters do not start for this thread, they stay at 0 next to the CPU clock.
    if (count > 0 && !read_papi(values) && !cpu_time)
        return;
    if (cpu_time)
        values[count++] = static_cast<long long>(costs.without(now(CLOCK_THREAD_CPUTIME_ID)));
    for (std::size_t i = 0; i < count; i += 2)
        buffer().add(Event::counters, time, static_cast<std::uint64_t>(values[i]),
                     static_cast<std::uint64_t>(values[i + 1]), static_cast<std::uint32_t>(i));
    if (cpu_time)
        costs.add(time);
}

} // namespace loomp::record
