// Shared by the files of the GNU front end: gcc's constants and shorthand, for the calls that
// libgomp 12 receives.
#pragma once

#include <cstdlib>
#include <new>

#include "platform/diagnostics.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::abi::gnu {

/// Flags of GOMP_task and GOMP_taskloop.
enum : unsigned {
    kTaskUntied = 1u << 0,
    kTaskFinal = 1u << 1,
    kTaskMergeable = 1u << 2,
    kTaskDepend = 1u << 3,
    kTaskPriority = 1u << 4,
    kTaskUp = 1u << 8,
    kTaskGrainsize = 1u << 9,
    kTaskIf = 1u << 10,
    kTaskNogroup = 1u << 11,
    kTaskReduction = 1u << 12,
    kTaskDetach = 1u << 13,
    kTaskStrict = 1u << 14,
};

/// The proc_bind clause in the flags of GOMP_parallel.
inline constexpr unsigned kBindMask = 7;

/// An outlined region and its argument.
struct Outlined {
    void (*fn)(void *);
    void *data;
};
/// Runs the region's body: `data` is an Outlined, or begins with one.
void run_outlined(void *data, core::Member &member);

core::ParallelRequest make_request(Outlined &outlined, unsigned num_threads, unsigned flags,
                                   const void *codeptr);

/// A region whose members begin with a worksharing construct, because the compiler combines the
/// two; Work::enter() begins that construct.
template <class Work> struct CombinedRegion {
    Outlined outlined;
    Work work;

    core::ParallelRequest request(unsigned num_threads, unsigned flags, const void *codeptr) {
        core::ParallelRequest request = make_request(outlined, num_threads, flags, codeptr);
        request.data = this;
        request.body = [](void *data, core::Member &member) {
            auto &region = *static_cast<CombinedRegion *>(data);
            region.work.enter(member);
            region.outlined.fn(region.outlined.data);
        };
        return request;
    }
};

/// GOMP_parallel_end frees what such a region needs until then.
inline constexpr const char kNoRegion[] = "out of memory: a parallel region";

/// Begins such a region; GOMP_parallel_end ends and frees it. The primary thread has entered its
/// construct.
template <class Work>
LOOMP_MAY_SWITCH void start_combined(Outlined outlined, const Work &work, unsigned num_threads,
                                     const void *codeptr) {
    using Region = CombinedRegion<Work>;
    auto *region =
        new (core::or_fatal(std::malloc(sizeof(Region)), kNoRegion)) Region{outlined, work};
    core::Team &team = core::begin_parallel(region->request(num_threads, 0, codeptr));
    team.front_end = region;
    region->work.enter(*team.members[0]);
}

inline core::Member &here() { return *core::Worker::current()->member; }

} // namespace loomp::abi::gnu
