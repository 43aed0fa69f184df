// experimental.h: processes that share a machine, and queries of the MPI layer.
#include <algorithm>
#include <cstdio>

#include "loomp/experimental.h"
#include "platform/export.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/memory/task_budget.h"
#include "runtime/core/process/runtime.h"
#include "runtime/core/process/stats.h"
#include "runtime/core/scheduling/priority_graph.h"

using namespace loomp;

LOOMP_EXPORT int loomp_take_processors(int part, int parts, char *text, size_t size) {
    const std::string taken = core::take_processor_share(part, parts);
    if (size > 0)
        std::snprintf(text, size, "%s", taken.c_str());
    return taken.empty() ? 1 : 0;
}

LOOMP_EXPORT void loomp_share_memory(int processes) {
    core::share_task_memory(static_cast<unsigned>(std::max(processes, 1)));
}

LOOMP_EXPORT void loomp_note_send(void) { core::note_send(); }

LOOMP_EXPORT int loomp_mpi_thread_level() {
    return static_cast<int>(core::settings().mpi_thread_level);
}

LOOMP_EXPORT int loomp_mpi_provides_required() {
    return core::settings().mpi_provided == core::MpiProvided::required ? 1 : 0;
}

LOOMP_EXPORT int loomp_mpi_blocking_collectives() {
    return core::settings().mpi_collectives == core::MpiCollectives::blocking ? 1 : 0;
}

LOOMP_EXPORT int loomp_mpi_checks() { return core::settings().mpi_check ? 1 : 0; }

LOOMP_EXPORT void loomp_set_rank(int rank) { core::set_rank(rank); }
