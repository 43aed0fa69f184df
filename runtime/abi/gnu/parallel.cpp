// GNU ABI: parallel, teams, cancellation.
#include <cstdlib>
#include <new>

#include "platform/export.h"
#include "runtime/abi/gnu/gnu.h"
#include "runtime/core/environment/team_settings.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/scheduling/cancellation.h"

namespace loomp::abi::gnu {

void run_outlined(void *data, core::Member &) {
    const auto &outlined = *static_cast<Outlined *>(data);
    outlined.fn(outlined.data);
}

core::ParallelRequest make_request(Outlined &outlined, unsigned num_threads, unsigned flags,
                                   const void *codeptr) {
    core::ParallelRequest request;
    request.body = run_outlined;
    request.data = &outlined;
    // The compiler also passes 1 for a false if clause.
    request.num_threads = static_cast<int>(num_threads);
    request.has_bind = (flags & kBindMask) != 0;
    request.bind = static_cast<core::ProcBind>(flags & kBindMask);
    request.codeptr = codeptr;
    return request;
}

namespace {

core::CancelKind cancel_kind(int which) {
    if (which & 1)
        return core::CancelKind::parallel;
    if (which & 2)
        return core::CancelKind::loop;
    if (which & 4)
        return core::CancelKind::sections;
    return core::CancelKind::taskgroup;
}

} // namespace

} // namespace loomp::abi::gnu

using namespace loomp;
using namespace loomp::abi::gnu;

LOOMP_EXPORT void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads,
                                unsigned flags) {
    core::Worker::current(); // the program's first call may start a tool
    LOOMP_TOOL_ENTRY();
    Outlined outlined{fn, data};
    core::Team &team = core::begin_parallel(
        make_request(outlined, num_threads, flags, __builtin_return_address(0)));
    LOOMP_TOOL(exit_frame, team.members[0]->implicit, __builtin_frame_address(0));
    fn(data);
    core::end_parallel();
}

LOOMP_EXPORT void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned num_threads) {
    // gcc before 4.9 lets the primary thread run the body itself before GOMP_parallel_end; the
    // members' data must outlive this call.
    auto *outlined =
        new (core::or_fatal(std::malloc(sizeof(Outlined)), kNoRegion)) Outlined{fn, data};
    core::Worker::current(); // the program's first call may start a tool
    core::ParallelRequest request =
        make_request(*outlined, num_threads, 0, __builtin_return_address(0));
    request.program_invokes = true;
    LOOMP_TOOL(enter, __builtin_frame_address(0), request.codeptr);
    core::begin_parallel(request).front_end = outlined;
}

LOOMP_EXPORT void GOMP_parallel_end() {
    void *region = here().team->front_end;
    core::end_parallel();
    LOOMP_TOOL(leave);
    std::free(region);
}

LOOMP_EXPORT bool GOMP_cancel(int which, bool do_cancel) {
    LOOMP_TOOL_ENTRY();
    return do_cancel ? core::cancel(cancel_kind(which))
                     : core::cancellation_point(cancel_kind(which));
}

LOOMP_EXPORT bool GOMP_cancellation_point(int which) {
    LOOMP_TOOL_ENTRY();
    return core::cancellation_point(cancel_kind(which));
}

/// The number of teams if neither the construct nor the settings give one; libgomp's default.
constexpr unsigned kDefaultTeams = 3;

LOOMP_EXPORT void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned num_teams,
                                 unsigned thread_limit, unsigned) {
    LOOMP_TOOL_ENTRY();
    const core::TeamSettings &s = core::team_settings();
    if (num_teams == 0)
        num_teams = s.num_teams > 0 ? static_cast<unsigned>(s.num_teams.load()) : kDefaultTeams;
    if (thread_limit == 0)
        thread_limit = static_cast<unsigned>(s.teams_thread_limit.load());
    Outlined outlined{fn, data};
    core::league(static_cast<int>(num_teams), static_cast<int>(thread_limit),
                 *core::Worker::current()->task->icvs, run_outlined, &outlined,
                 __builtin_return_address(0));
}
