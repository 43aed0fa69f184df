// A parallel region, from its construct to the barrier at its end; and the teams construct.
#pragma once

#include "runtime/core/team/icv.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

/// A parallel construct, decoded by a front end.
struct ParallelRequest {
    RegionBody body = nullptr;
    void *data = nullptr; ///< begins with the address of the outlined function; null: unknown
    int num_threads = 0;  ///< num_threads clause; 0: none
    const std::vector<int> *num_threads_list = nullptr; ///< the whole list, if it has more elements
    bool if_clause = true;
    bool has_bind = false;
    ProcBind bind = ProcBind::false_;
    /// Called when the size is decided, before any member starts; `data` is the request's.
    void (*prepare)(Team &team, void *data) = nullptr;
    const void *codeptr = nullptr;
    bool program_invokes = false; ///< the program itself calls the primary thread's body
};

/// True if every region has one thread, as with libomp's serial library. Any thread may change it;
/// later regions see it.
LOOMP_HIDDEN extern Atomic<bool> regions_are_serial;

/// Meets a parallel construct: forms the team, starts the other threads, makes the caller member 0.
/// The caller then runs its share and calls end_parallel().
LOOMP_MAY_SWITCH Team &begin_parallel(const ParallelRequest &request);
/// Waits in the implicit barrier at the region's end; then the caller is its parent's member again.
void end_parallel();
/// Calls begin_parallel(), runs the body on the caller, too, and calls end_parallel().
LOOMP_MAY_SWITCH void parallel(const ParallelRequest &request);

/// A teams construct on the host: `num_teams` initial teams run in sequence on the calling thread.
/// Each is a contention group of at most `thread_limit` threads (0: the ICV's). Their data
/// environments start with `icvs`.
LOOMP_MAY_SWITCH void league(int num_teams, int thread_limit, const IcvValues &icvs,
                             RegionBody body, void *data, const void *codeptr);

} // namespace loomp::core
