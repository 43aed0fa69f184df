// The threads that loomp makes: their creation, the pool of those without a team, and what each
// does from its start to the end of the process.
#pragma once

namespace loomp::core {

struct Member;
class Worker;

/// Gives `member` a thread: an idle one of the pool, or a new one. The thread waits for the next
/// fork of the member's team. False when the system has no more threads (one warning).
bool hire(Member &member);

/// Ends the thread of `worker` when it has left its team; the caller disbands that, and waits in
/// end_idle_threads().
void retire_thread(Worker &worker);
/// Ends the idle threads of the pool, and waits for all that end.
void end_idle_threads();

/// A team of the calling foreign thread is given up: its threads go back to the pool at its next
/// fork epoch.
void forget_threads_after_fork();

/// Number of threads that loomp made and that exist.
int thread_count();

} // namespace loomp::core
