// Constructs of a random program that check themselves, without the frames of the tree's tasks.
#pragma once

#include <cstdint>

#include "tests/simulated/program_tree.h"

namespace loomp::simulated {

/// A check of this operation failed: prints it, and ends the process with kWrong.
[[noreturn]] __attribute__((format(printf, 2, 3))) void wrong(const Operation &operation,
                                                              const char *format, ...);
/// Steps of work.
void work(int steps);

/// Whether creators wait until some of their tasks have completed: they cannot fulfil the event of
/// one afterwards.
bool creators_may_wait();

/// Called once, before the rest.
void begin_constructs();
/// Calls `end(argument)` after that time in nanoseconds, in a poller: an operation for which the
/// program waits besides its own tasks.
void begin_operation(std::int64_t length, void (*end)(void *), void *argument);

void run_loop(const Operation &operation);
void run_sections(const Operation &operation);
void run_ordered(const Operation &operation);
void run_doacross(const Operation &operation);
void run_critical(const Operation &operation);
void run_lock(const Operation &operation);
void run_cancelled_group(const Operation &operation);
void run_cancelled_region(const Operation &operation);
void run_suspend(const Operation &operation);
void run_foreign(const Operation &operation);
void run_left_to_others(const Operation &operation);
void run_flood(const Operation &operation);
void run_taskloop(const Operation &operation);
void run_reduction(const Operation &operation);
void run_speculation(const Operation &operation);
void run_callback(const Operation &operation);
void run_fork(const Operation &operation);

} // namespace loomp::simulated
