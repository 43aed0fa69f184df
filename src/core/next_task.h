// What a program asks of the next task that the running one creates (loomp.h: loomp_next_task()).
//
// The running task is marked (kMarksNext) and its worker keeps the request, until the front end
// takes it while creating the task. The mark is tested together with what front ends test anyway.
#pragma once

#include <cstdint>

#include "core/task.h"
#include "core/worker.h"

namespace loomp::core {

/// Of the next task of the calling one: TaskFlag bits.
void ask_of_next_task(std::uint32_t flags);

/// The flags for the task that is being created by the worker's current one; none afterwards.
LOOMP_NOINLINE std::uint32_t take_next_task_flags(Worker &worker);

} // namespace loomp::core
