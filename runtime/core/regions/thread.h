// Threads: how they become workers and are none any more, those of the program with their first
// call, until they end; of those that loomp makes also their creation, the pool of those without a
// team, and what each does from its start to the end of the process.
#pragma once

namespace loomp::core {

struct Member;
class Worker;

/// Makes a worker of the calling thread, which the program made, with the implicit team around it.
Worker &attach_calling_thread();
/// The calling thread, which loomp made, ends: its worker is free for the next one.
void retire_worker(Worker &worker);
/// Arranges that threads of the program are detached when they end. Once, at start.
void watch_thread_exits();

/// Gives `member` a thread: an idle one of the pool, or a new one. The thread waits for the next
/// fork of the member's team. False when the system has no more threads (one warning).
bool hire(Member &member);

/// Ends the thread of `worker` when it has left its team; the caller disbands that, and waits in
/// end_idle_threads().
void retire_thread(Worker &worker);
/// Ends the idle threads of the pool, and waits for all that end.
void end_idle_threads();

/// Begins and ends a member's implicit task, its part of a region, on the calling worker. `size`,
/// for tools: of the team, 0 when it may be gone.
void start_implicit_task(Worker &worker, Member &member);
void end_implicit_task(Member &member, unsigned size);

/// Number of threads that loomp made and that exist.
int thread_count();

} // namespace loomp::core
