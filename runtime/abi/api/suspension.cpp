// loomp's own interface (include/loomp/loomp.h): suspension and delayed completion of tasks, code
// that runs again, pollers.
#include "loomp/experimental.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <unistd.h>

#include "platform/diagnostics.h"
#include "platform/threads.h"
#include "runtime/abi/api/api.h"
#include "runtime/core/environment/waiting_settings.h"
#include "runtime/core/process/hang_reporter.h"
#include "runtime/core/process/hang_text.h"
#include "runtime/core/process/suspended_frames.h"
#include "runtime/core/progress/hang.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/regions/own_task.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/run_again.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/scheduling/task_signal.h"

namespace {

using namespace loomp;

static_assert(sizeof(core::TaskSignal) == sizeof(loomp_suspension_t));
static_assert(alignof(core::TaskSignal) == alignof(loomp_suspension_t));

core::TaskSignal &decode(loomp_suspension_t *suspension) {
    return *reinterpret_cast<core::TaskSignal *>(suspension);
}
core::Poller *decode(loomp_poller_t *poller) { return reinterpret_cast<core::Poller *>(poller); }

/// Returns the length of what is stored.
std::size_t store(const std::string &found, char *text, std::size_t size) {
    std::snprintf(text, size, "%s", found.c_str());
    return std::min(found.size(), size - 1);
}

} // namespace

LOOMP_EXPORT int loomp_in_task() {
    const core::Worker *worker = core::Worker::current_or_null();
    // A poller may run on a thread whose own region has ended and whose team is reused for another.
    return worker != nullptr && !core::is_polling() && worker->member->team->level > 0 ? 1 : 0;
}

LOOMP_EXPORT int loomp_would_idle() { return loomp_in_task() != 0 && core::would_idle() ? 1 : 0; }

LOOMP_EXPORT void loomp_suspend(loomp_suspension_t *suspension) { decode(suspension).wait(); }

LOOMP_EXPORT void loomp_resume(loomp_suspension_t *suspension) {
    if (!decode(suspension).signal())
        core::warn("loomp_resume(): called twice for one loomp_suspend(); the second is ignored");
}

LOOMP_EXPORT loomp_held_task_t *loomp_hold_task(unsigned count) {
    return loomp_in_task() == 0 ? nullptr
                                : reinterpret_cast<loomp_held_task_t *>(core::hold(count));
}

LOOMP_EXPORT void loomp_release_task(loomp_held_task_t *task, unsigned count) {
    core::release_holds(*reinterpret_cast<core::Task *>(task), count);
}

LOOMP_EXPORT loomp_task_t *loomp_task_self() {
    if (core::is_polling())
        return nullptr;
    // The first thread is in the initial task before it meets OpenMP.
    if (core::Worker::current_or_null() == nullptr && this_thread_number() != getpid())
        return nullptr;
    return reinterpret_cast<loomp_task_t *>(core::Worker::current()->task);
}

LOOMP_EXPORT int loomp_when_returned(void (*returned)(void *data, int ends), void *data) {
    return core::when_returned(returned, data) ? 0 : 1;
}

LOOMP_EXPORT void loomp_run_again() { core::run_again(); }

LOOMP_EXPORT void loomp_make_ready(loomp_task_t *task) {
    core::make_ready_again(*reinterpret_cast<core::Task *>(task));
}

LOOMP_EXPORT loomp_poller_t *loomp_poller_register(const char *name, loomp_poll_t poll,
                                                   void *data) {
    if (poll == nullptr) {
        core::warn("loomp_poller_register(): the function is null; nothing is registered");
        return nullptr;
    }
    return reinterpret_cast<loomp_poller_t *>(
        core::register_poller(name == nullptr ? "unnamed" : name, poll, data));
}

LOOMP_EXPORT void loomp_poller_unregister(loomp_poller_t *poller) {
    if (poller == nullptr)
        return;
    core::forget_observer_of(*decode(poller));
    core::unregister_poller(*decode(poller));
}

LOOMP_EXPORT void loomp_poller_when_stuck(loomp_poller_t *poller,
                                          void (*tell)(void *data, double seconds)) {
    if (poller != nullptr)
        core::when_stuck(*decode(poller), tell);
}

static_assert(sizeof(core::HangObserver) == sizeof(loomp_hang_observer_t));

LOOMP_EXPORT void loomp_observe_hangs(loomp_poller_t *poller,
                                      const loomp_hang_observer_t *observer) {
    core::observe_hangs(*decode(poller), *reinterpret_cast<const core::HangObserver *>(observer));
}

LOOMP_EXPORT size_t loomp_lost_events(char *text, size_t size) {
    return store(core::text_of_lost_events(), text, size);
}
LOOMP_EXPORT size_t loomp_held_locks(char *text, size_t size) {
    return store(core::text_of_held_locks(), text, size);
}

LOOMP_EXPORT int loomp_suspended_frames(const loomp_suspension_t *suspension, const void **frames,
                                        int most) {
    return core::frames_of_waiter(*reinterpret_cast<const core::TaskSignal *>(suspension), frames,
                                  most);
}

LOOMP_EXPORT void loomp_begin_outside_wait() { core::begin_outside_wait(); }
LOOMP_EXPORT void loomp_end_outside_wait() { core::end_outside_wait(); }
LOOMP_EXPORT int loomp_frames_of_point(const loomp_code_point_t *point, const void **frames,
                                       int most) {
    return core::frames_of_point(*point, frames, most);
}

LOOMP_EXPORT double loomp_report_stuck_after() {
    return static_cast<double>(core::waiting_settings().stuck_after) * 1e-9;
}

LOOMP_EXPORT void loomp_poller_expect(loomp_poller_t *poller, int count) {
    if (poller != nullptr && count > 0)
        core::expect(*decode(poller), count);
}

LOOMP_EXPORT void loomp_run_in_own_task(void (*function)(void *data), void *data) {
    core::run_in_own_task(function, data);
}

LOOMP_EXPORT void loomp_poller_get_statistics(loomp_poller_t *poller,
                                              loomp_poller_statistics_t *statistics) {
    const core::PollerStats stats = core::stats_of(*decode(poller));
    *statistics = {stats.polls, stats.helper_polls, stats.hits, stats.completions,
                   static_cast<double>(stats.worst_gap) * 1e-9};
}
