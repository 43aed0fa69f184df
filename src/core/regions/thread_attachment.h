// Threads become workers, and are none any more: those of the program with their first call, until
// they end; loomp's own at their end.
#pragma once

namespace loomp::core {

class Worker;

/// Makes a worker of the calling thread, which the program made, with the implicit team around it.
Worker &attach_calling_thread();
/// The calling thread, which loomp made, ends: its worker is free for the next one.
void retire_worker(Worker &worker);
/// Arranges that threads of the program are detached when they end. Once, at start.
void watch_thread_exits();

} // namespace loomp::core
