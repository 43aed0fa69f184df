// Runs code of the program in a task of its own, on top of whatever its thread does: a poller, or a
// library that a task calls, may call back into the program.
//
// Each worker keeps a team of one for this, like the team around a thread of the program: its
// implicit task is tied to the worker, its explicit tasks run at once, and a wait in it runs only
// what it awaits. The code around it finds the worker as before. Regions in it are nested ones.
//
// Invariant: the team's implicit task is the running one of its worker, or of a region begun in it,
// from enter to leave, and at no other time. Owner: the worker's thread.
#pragma once

namespace loomp::core {

/// Calls `function(data)` in such a task, which returns, and does not leave by an exception or
/// longjmp(). Calls it directly within such a call, in a thread that has not used OpenMP, and
/// outside of parallel regions, where the thread is in a task that does not leave it.
void run_in_own_task(void (*function)(void *data), void *data);

} // namespace loomp::core
