// experimental.h: a process' share of the machine that it runs on.
#include <algorithm>
#include <cstdio>

#include "abi/export.h"
#include "core/memory/task_budget.h"
#include "core/process/processor_share.h"
#include "loomp/experimental.h"

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
