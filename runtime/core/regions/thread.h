// Threads: how they become workers, and how they stop being workers. A thread of the program is a
// worker from its first call until it ends. For loomp's threads, this file also declares their
// creation, the pool of those without a team, and their work until the process ends.
#pragma once

namespace loomp::core {

struct Member;
struct Task;
class Worker;

/// Makes a worker of the calling thread, which the program made, with the implicit team around it.
Worker &attach_calling_thread();
/// The calling thread, which loomp made, ends: the next thread may reuse its worker.
void retire_worker(Worker &worker);
/// Arranges that threads of the program are detached when they end. Called once, at start.
void watch_thread_exits();

/// Gives `member` a thread: an idle one of the pool, or a new one. The thread waits for the next
/// fork of the member's team. Returns false if the system has no more threads (one warning).
bool hire(Member &member);

/// Ends the thread of `worker` when it has left its team. The caller disbands the team, and waits
/// in end_idle_threads().
void retire_thread(Worker &worker);
/// Ends the idle threads of the pool, and waits for all that end.
void end_idle_threads();

/// Begins and ends a member's implicit task, its part of a region, on the calling worker. `size`:
/// the team's, for tools; 0 if the team may no longer exist.
void start_implicit_task(Worker &worker, Member &member);
void end_implicit_task(Member &member, unsigned size);
/// Drops the dependences and ICVs that an implicit task has added to its region's.
void drop_what_it_made(Task &task);

/// Returns the number of existing threads that loomp made.
int thread_count();

} // namespace loomp::core
