#include "profiler/recorder/control.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "platform/diagnostics.h"
#include "profiler/recorder/counters.h"
#include "profiler/recorder/recorder.h"

namespace loomp::record {

constinit std::atomic<std::uint32_t> wanted_now{kAllDetails};

namespace {

constinit std::mutex switching; ///< guards the following variables and changes of wanted_now
constinit std::uint32_t asked = kAllDetails;
constinit bool stopped = false;

void note(const char *key, std::uint64_t time) {
    char line[64];
    const int size =
        std::snprintf(line, sizeof line, "%s %llu\n", key, static_cast<unsigned long long>(time));
    append(kInfoFile, line, static_cast<std::size_t>(size));
}

std::uint32_t details_asked_for() {
    const char *names = std::getenv("LOOMP_TRACE_DETAIL");
    if (names == nullptr || *names == '\0')
        return kAllDetails;
    std::string_view wrong;
    if (const std::uint32_t details = details_of(names, wrong); details != 0)
        return details;
    core::warn("recording: LOOMP_TRACE_DETAIL: '%.*s' is none of %s: all are recorded",
               static_cast<int>(wrong.size()), wrong.data(), kDetailHelp);
    return kAllDetails;
}

bool begins_paused() {
    const char *value = std::getenv("LOOMP_TRACE_PAUSED");
    if (value == nullptr || *value == '\0' || std::strcmp(value, "0") == 0)
        return false;
    if (std::strcmp(value, "1") != 0)
        core::warn("recording: LOOMP_TRACE_PAUSED=%s: 1 or 0 is needed; taken as 1", value);
    return true;
}

} // namespace

bool wanted_ever(Detail what) { return (asked & what) != 0; }

void begin_control() {
    const std::lock_guard guard(switching);
    asked = details_asked_for();
    asked |= begin_counters();
    stopped = begins_paused();
    wanted_now.store(stopped ? 0 : asked, std::memory_order_relaxed);
    if (stopped)
        note(kStopKey, now());
}

std::mutex &lock_of_control() { return switching; }

void go_on_in_child() {
    const std::lock_guard guard(switching);
    asked &= ~static_cast<std::uint32_t>(kCounters | kCpuTime);
    wanted_now.store(stopped ? 0 : asked, std::memory_order_relaxed);
    if (stopped)
        note(kStopKey, now());
}

} // namespace loomp::record

using namespace loomp::record;

/// loomp_record_stop() calls this.
extern "C" LOOMP_SHARED void loomp_record_stop() {
    begin(); // OpenMP and MPI may begin later
    const std::lock_guard guard(switching);
    if (stopped)
        return;
    stopped = true;
    if (wanted(kForked)) // a child that has not run OpenMP: record_child() looks at `stopped`
        return;
    wanted_now.store(0, std::memory_order_relaxed);
    note(kStopKey, now());
}

/// loomp_record_start() calls this.
extern "C" LOOMP_SHARED void loomp_record_start() {
    begin();
    const std::lock_guard guard(switching);
    if (!stopped)
        return;
    stopped = false;
    if (wanted(kForked)) // a child that has not run OpenMP: record_child() looks at `stopped`
        return;
    // Stored before the change, so that no record caused by it has an earlier time.
    note(kStartKey, now());
    wanted_now.store(asked, std::memory_order_relaxed);
}
