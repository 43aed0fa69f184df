#include "runtime/core/process/runtime.h"

#include <cstdlib>
#include <limits>
#include <string_view>

#include "platform/diagnostics.h"
#include "platform/fence.h"
#include "platform/mpi_users.h"
#include "platform/openmp_users.h"
#include "platform/system_mutex.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/persistent/persistent.h"
#include "runtime/core/process/hang_reporter.h"
#include "runtime/core/process/stats.h"
#include "runtime/core/progress/outside_waits.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/regions/thread.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/spawning.h"
#include "runtime/core/scheduling/taking.h"
#include "runtime/core/scheduling/throttle.h"
#include "runtime/core/scheduling/work_first.h"
#include "runtime/core/suspension/call_on_stack.h"
#include "runtime/core/suspension/fiber.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/team/affinity.h"
#include "runtime/core/team/affinity_format.h"
#include "runtime/core/team/icv.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

bool tool_enabled = false;
bool tool_sees_edges = false;
bool tool_sees_reductions = false;
ToolHooks tool_hooks = {};

namespace {

void at_exit() {
    if (settings().stats)
        print_stats();
}

void start() {
    note_start();
    initialize_fences();
    work_first_possible = kCanCallOnStack && stacks_are_unwatched();
    look_for_outside_waits();
    load_settings();
    persists_automatically = settings().persistent;
    producers_first = settings().producers_first;
    oldest_first = settings().task_order == TaskOrder::fifo;
    apply_priority_settings();
    regions_are_serial.store(settings().serial, std::memory_order_relaxed);
    watch_thread_exits();
    watch_forks();
    watch_for_hangs();
    std::atexit(at_exit);
    if (settings().display_env != DisplayEnv::no)
        display_env(settings().display_env == DisplayEnv::verbose);
    displays_affinity = settings().display_affinity;
    resets_affinity = settings().resets_affinity;
    initialize_oversubscription();
    note_initial_icvs();
}

/// Without a launcher, the process is the first rank.
bool is_first_rank() {
    for (const char *variable : {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"})
        if (const char *rank = std::getenv(variable); rank != nullptr)
            return std::string_view(rank) == "0";
    return true;
}

/// `loomp run` loads the MPI layer, or sets this variable if it leaves MPI alone. A user who starts
/// the program with the library path alone may not know the layer.
void report_missing_layer() {
    if (std::getenv("LOOMP_LAYERS") == nullptr && is_first_rank() && lacks_mpi_layer())
        warn(
            "the MPI layer is not loaded: an MPI call in a task holds its thread until it returns; "
            "start the program with loomp run (loomp run --plain-mpi leaves MPI alone)");
}

__attribute__((constructor)) void on_load() {
    available_processors(); // before any code binds threads
    report_missing_layer();
    // The MPI layer brings this library into programs without OpenMP, which must not notice it.
    const OpenmpUsers users = find_openmp_users();
    const bool is_used = users.program || !users.layer;
    if (program_interface() != ProgramInterface::llvm && is_used)
        initialize();
}

} // namespace

void (*const read_settings)() = initialize;

void initialize() {
    static OnceFlag once;
    call_once(once, start);
}

} // namespace loomp::core
