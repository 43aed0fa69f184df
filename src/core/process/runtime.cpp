#include "core/process/runtime.h"

#include <cstdlib>
#include <limits>
#include <mutex>
#include <pthread.h>

#include "core/base/fence.h"
#include "core/environment/settings.h"
#include "core/environment/topology.h"
#include "core/persistent/persistent.h"
#include "core/process/stats.h"
#include "core/progress/poller.h"
#include "core/regions/thread.h"
#include "core/scheduling/priority.h"
#include "core/scheduling/spawning.h"
#include "core/scheduling/taking.h"
#include "core/scheduling/work_first.h"
#include "core/suspension/call_on_stack.h"
#include "core/suspension/fiber.h"
#include "core/suspension/stack.h"
#include "core/suspension/stack_overflow.h"
#include "core/task/tool.h"
#include "core/team/affinity.h"
#include "core/team/affinity_format.h"
#include "core/team/team.h"
#include "core/worker/worker.h"

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
    initialize_fences();
    work_first_possible = kCanCallOnStack && stacks_are_unwatched();
    load_settings();
    persists_automatically = settings().persistent;
    producers_first = settings().producers_first;
    oldest_first = settings().task_order == TaskOrder::fifo;
    apply_priority_settings();
    watch_thread_exits();
    watch_forks();
    std::atexit(at_exit);
    if (settings().display_env != DisplayEnv::no)
        display_env(settings().display_env == DisplayEnv::verbose);
    displays_affinity = settings().display_affinity;
    resets_affinity = settings().resets_affinity;
    initialize_oversubscription();
}

__attribute__((constructor)) void on_load() {
    available_processors(); // before anything binds threads
    watch_stack_overflow(); // before the program's own handler
    if (program_interface() != ProgramInterface::llvm)
        initialize();
}

} // namespace

void (*const read_settings)() = initialize;

void initialize() {
    static std::once_flag once;
    std::call_once(once, start);
}

} // namespace loomp::core
