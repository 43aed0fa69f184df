#include "core/runtime.h"

#include <cstdlib>
#include <limits>
#include <mutex>
#include <pthread.h>

#include "core/call_on_stack.h"
#include "core/fence.h"
#include "core/fiber.h"
#include "core/fork.h"
#include "core/immediate.h"
#include "core/independent.h"
#include "core/persistent.h"
#include "core/poller.h"
#include "core/priority.h"
#include "core/priority_preset.h"
#include "core/scheduler.h"
#include "core/settings.h"
#include "core/stack.h"
#include "core/stack_overflow.h"
#include "core/stats.h"
#include "core/team.h"
#include "core/thread.h"
#include "core/timer.h"
#include "core/tool.h"
#include "core/topology.h"
#include "core/worker.h"

namespace loomp::core {

bool tool_enabled = false;
ToolHooks tool_hooks = {};

namespace {

void at_exit() {
    if (settings().stats)
        print_stats();
}

void start() {
    available_processors(); // before anything binds threads
    initialize_fences();
    immediate_possible = kCanCallOnStack && stacks_are_unwatched();
    load_settings();
    persists_automatically = settings().persistent;
    oldest_first = settings().task_order == TaskOrder::fifo;
    apply_priority_settings();
    watch_thread_exits();
    watch_stack_overflow();
    watch_forks();
    std::atexit(at_exit);
    if (settings().display_env != DisplayEnv::no)
        display_env(settings().display_env == DisplayEnv::verbose);
    initialize_crowding();
}

__attribute__((constructor)) void on_load() { initialize(); }

} // namespace

void initialize() {
    static std::once_flag once;
    std::call_once(once, start);
}

} // namespace loomp::core
