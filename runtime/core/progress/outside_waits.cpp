#include "runtime/core/progress/outside_waits.h"

#include <string_view>

#include "platform/linked_object.h"

namespace loomp::core {

Relaxed<bool> tasks_wait_outside = true;

namespace {

/// Returns 1, which ends the search, if the object may wait.
int look(dl_phdr_info *info, std::size_t, void *) {
    const LinkedObject object(*info);
    // A program that contains the runtime calls it without imports.
    if (object.is_program() && object.contains(&tasks_wait_outside))
        return 1;
    const bool waits = object.any_imported([](std::string_view name) {
        return name == "loomp_suspend" || name == "alpi_task_block" ||
               name == "alpi_task_waitfor_ns" || name == "alpi_task_suspend" ||
               name == "GOMP_taskyield" || name == "__kmpc_omp_taskyield" ||
               name == "omp_fulfill_event" || name == "omp_fulfill_event_";
    });
    return waits ? 1 : 0;
}

} // namespace

void look_for_outside_waits() { tasks_wait_outside = dl_iterate_phdr(look, nullptr) != 0; }

} // namespace loomp::core
