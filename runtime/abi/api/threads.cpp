// OpenMP API: parallel regions, threads, teams, tasks, cancellation, time (OpenMP 5.2, 18.2, 18.4,
// 18.5, 18.10).
#include <algorithm>
#include <cstdlib>

#include "platform/clock.h"
#include "platform/diagnostics.h"
#include "runtime/abi/api/api.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/environment/unknown_settings.h"
#include "runtime/core/process/runtime.h"
#include "runtime/core/scheduling/detach_event.h"

using namespace loomp;
using namespace loomp::abi;

namespace {

constexpr std::uint32_t kMonotonicBit = 0x80000000u;

/// Outside tasks, and for a signal handler of a thread that waits for its team's first region: each
/// function returns `outside`.
/// `field`: of the team, or of its region.
template <class T, class Of> int of_team(T Of::*field, int outside) {
    const core::Worker *worker = core::Worker::in_task_or_null();
    return worker != nullptr ? static_cast<int>(worker->member->team->*field) : outside;
}
template <class Ask> int of_task(Ask ask, int outside) {
    const core::Worker *worker = core::Worker::in_task_or_null();
    return worker != nullptr ? ask(*worker) : outside;
}
int of_group(int core::ContentionGroup::*field, int outside) {
    const core::Worker *worker = core::Worker::in_task_or_null();
    const core::ContentionGroup *group =
        worker != nullptr ? worker->member->team->contention : nullptr;
    return group != nullptr ? group->*field : outside;
}

/// Returns the member at a level; null if there is none, or the thread is in no task.
const core::Member *member_at(int level) {
    const core::Worker *worker = core::Worker::in_task_or_null();
    return worker == nullptr || level < 0 || level > worker->member->team->level
               ? nullptr
               : core::ancestor_member(*worker->member, level);
}
/// Outside tasks a thread is alone on level 0.
int without_member(int level, int alone) {
    return level == 0 && core::Worker::in_task_or_null() == nullptr ? alone : -1;
}

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

} // namespace

// --- Threads -----------------------------------------------------------------------------------

// A new team has no size before its first region, when a signal handler of its threads may ask.
LOOMP_API_GET(OMP_1.0, int, omp_get_num_threads, std::max(of_team(&core::Team::size, 1), 1));
LOOMP_API_GET(OMP_1.0, int, omp_get_thread_num, of_task([](auto &w) { return w.member->num; }, 0));
LOOMP_API_GET(OMP_1.0, int, omp_get_max_threads, icvs().num_threads);
LOOMP_API_GET(OMP_1.0, int, omp_get_num_procs, static_cast<int>(core::processors_now()));
LOOMP_API_GET(OMP_1.0, int, omp_in_parallel, of_team(&core::Team::active_level, 0) > 0);
LOOMP_API_GET(OMP_1.0, int, omp_get_dynamic, icvs().dynamic);
LOOMP_API_GET(OMP_1.0, int, omp_get_nested, icvs().max_active_levels > 1);
LOOMP_API_GET(OMP_3.0, int, omp_get_thread_limit,
              std::min(icvs().thread_limit,
                       of_group(&core::ContentionGroup::thread_limit, INT_MAX)));
LOOMP_API_GET(OMP_3.0, int, omp_get_max_active_levels, icvs().max_active_levels);
LOOMP_API_GET(OMP_5.0.1, int, omp_get_supported_active_levels, INT_MAX);
LOOMP_API_GET(OMP_3.0, int, omp_get_level, of_team(&core::Team::level, 0));
LOOMP_API_GET(OMP_3.0, int, omp_get_active_level, of_team(&core::Team::active_level, 0));
LOOMP_API_GET(OMP_4.0, int, omp_get_cancellation,
              core::settings_are_known() && core::settings().cancellation);
LOOMP_API_GET(OMP_4.5, int, omp_get_max_task_priority,
              core::settings_are_known() ? core::settings().max_task_priority : 0);
LOOMP_API_GET(OMP_3.1, int, omp_in_final,
              of_task([](auto &w) { return w.task->has(core::kFinal) ? 1 : 0; }, 0));
LOOMP_API_GET(OMP_5.2, int, omp_in_explicit_task,
              of_task([](auto &w) { return w.task->has(core::kImplicit) ? 0 : 1; }, 0));

LOOMP_EXPORT void omp_set_num_threads(int n) {
    change_icvs([n](core::IcvValues &own) { own.num_threads = std::max(n, 1); });
}
LOOMP_API_INT(OMP_1.0, void, omp_set_num_threads);
LOOMP_EXPORT void omp_set_dynamic(int on) {
    change_icvs([on](core::IcvValues &own) { own.dynamic = on != 0; });
}
LOOMP_API_INT(OMP_1.0, void, omp_set_dynamic);
LOOMP_EXPORT void omp_set_nested(int on) {
    change_icvs([on](core::IcvValues &own) {
        if (on != 0 && own.max_active_levels <= 1)
            own.max_active_levels = INT_MAX;
        else if (on == 0 && own.max_active_levels > 1)
            own.max_active_levels = 1;
    });
}
LOOMP_API_INT(OMP_1.0, void, omp_set_nested);
LOOMP_EXPORT void omp_set_max_active_levels(int n) {
    if (n >= 0)
        change_icvs([n](core::IcvValues &own) { own.max_active_levels = n; });
}
LOOMP_API_INT(OMP_3.0, void, omp_set_max_active_levels);

LOOMP_EXPORT int omp_get_ancestor_thread_num(int level) {
    const core::Member *found = member_at(level);
    return found != nullptr ? found->num : without_member(level, 0);
}
LOOMP_API_INT(OMP_3.0, int, omp_get_ancestor_thread_num);
LOOMP_EXPORT int omp_get_team_size(int level) {
    const core::Member *found = member_at(level);
    return found != nullptr ? static_cast<int>(found->team->size) : without_member(level, 1);
}
LOOMP_API_INT(OMP_3.0, int, omp_get_team_size);

// --- Schedule ----------------------------------------------------------------------------------

LOOMP_EXPORT void omp_set_schedule(std::uint32_t kind, int chunk) {
    const std::uint32_t plain = kind & ~kMonotonicBit;
    const auto given = static_cast<core::ScheduleKind>(plain);
    if ((plain < 1 || plain > 4) && given != core::ScheduleKind::trapezoidal)
        return;
    change_icvs([=](core::IcvValues &own) {
        own.run_schedule = given;
        own.monotonic_given = (kind & kMonotonicBit) != 0;
        if (given == core::ScheduleKind::static_)
            own.run_chunk = std::max(chunk, 0);
        else if (given != core::ScheduleKind::auto_)
            own.run_chunk = std::max(chunk, 1);
    });
}
LOOMP_EXPORT void omp_set_schedule_(const std::uint32_t *kind, const std::int32_t *chunk) {
    omp_set_schedule(*kind, *chunk);
}
LOOMP_EXPORT void omp_set_schedule_8_(const std::uint32_t *kind, const std::int64_t *chunk) {
    omp_set_schedule(*kind, clamp_int(*chunk));
}
LOOMP_EXPORT void omp_get_schedule(std::uint32_t *kind, int *chunk) {
    const core::IcvValues &now = icvs();
    *kind =
        static_cast<std::uint32_t>(now.run_schedule) | (now.monotonic_given ? kMonotonicBit : 0u);
    *chunk = now.run_chunk;
}
LOOMP_EXPORT void omp_get_schedule_(std::uint32_t *kind, std::int32_t *chunk) {
    omp_get_schedule(kind, chunk);
}
LOOMP_EXPORT void omp_get_schedule_8_(std::uint32_t *kind, std::int64_t *chunk) {
    int c = 0;
    omp_get_schedule(kind, &c);
    *chunk = c;
}
LOOMP_API_SINCE_8(OMP_3.0, omp_set_schedule);
LOOMP_API_SINCE_8(OMP_3.0, omp_get_schedule);

// --- Teams -------------------------------------------------------------------------------------

LOOMP_API_GET(OMP_4.0, int, omp_get_num_teams, of_group(&core::ContentionGroup::num_teams, 1));
LOOMP_API_GET(OMP_4.0, int, omp_get_team_num, of_group(&core::ContentionGroup::team_num, 0));
LOOMP_API_GET(OMP_5.1, int, omp_get_max_teams,
              core::settings_are_known() ? core::settings().num_teams.load() : 0);
LOOMP_API_GET(OMP_5.1, int, omp_get_teams_thread_limit,
              core::settings_are_known() ? core::settings().teams_thread_limit.load() : 0);

namespace {
/// Returns whether the calling code may set teams. The standard defines both routines only outside
/// all regions (OpenMP 5.2, 18.4.3 and 18.4.5). Inside regions they behave like the runtime for
/// which the program was compiled: libgomp's take effect, libomp's do not.
bool can_set_teams(const char *routine) {
    if (core::settings().interface == core::ProgramInterface::gnu ||
        (team().level == 0 && team().parent_task == nullptr))
        return true;
    core::warn_as(core::complaint_beginning(core::settings()),
                  "%s() inside a parallel or teams region: call ignored; it belongs in front of "
                  "the region",
                  routine);
    return false;
}
} // namespace

LOOMP_EXPORT void omp_set_num_teams(int n) {
    if (n < 0 || !can_set_teams("omp_set_num_teams"))
        return;
    core::mutable_settings().num_teams = n;
    core::note_set_by_program("OMP_NUM_TEAMS");
}
LOOMP_API_INT(OMP_5.1, void, omp_set_num_teams);
LOOMP_EXPORT void omp_set_teams_thread_limit(int n) {
    if (n < 0 || !can_set_teams("omp_set_teams_thread_limit"))
        return;
    core::mutable_settings().teams_thread_limit = n;
    core::note_set_by_program("OMP_TEAMS_THREAD_LIMIT");
}
LOOMP_API_INT(OMP_5.1, void, omp_set_teams_thread_limit);

// --- Default device ------------------------------------------------------------------------------

LOOMP_API_GET(OMP_4.0, int, omp_get_default_device, icvs().default_device);
LOOMP_EXPORT void omp_set_default_device(int n) {
    if (n != core::kDefaultDevice)
        change_icvs([n](core::IcvValues &own) { own.default_device = n; });
}
LOOMP_API_INT(OMP_4.0, void, omp_set_default_device);

// --- Tasks, time, environment --------------------------------------------------------------------

LOOMP_EXPORT void omp_fulfill_event(std::uintptr_t event) { core::fulfill_event(event); }
// omp_lib gives the argument the value attribute.
LOOMP_EXPORT void omp_fulfill_event_(std::uintptr_t event) { omp_fulfill_event(event); }
LOOMP_API_SINCE(OMP_5.0.1, omp_fulfill_event);

LOOMP_API_GET(OMP_2.0, double, omp_get_wtime, seconds(core::nanoseconds()));
LOOMP_API_GET(OMP_2.0, double, omp_get_wtick, seconds(core::clock_resolution()));

LOOMP_EXPORT void omp_display_env(int verbose) { core::display_env(verbose != 0); }
LOOMP_EXPORT void omp_display_env_(const std::int32_t *verbose) { omp_display_env(*verbose); }
LOOMP_EXPORT void omp_display_env_8_(const std::int64_t *verbose) {
    omp_display_env(*verbose != 0);
}
LOOMP_API_SINCE_8(OMP_5.1, omp_display_env);
