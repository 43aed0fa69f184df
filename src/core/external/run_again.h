// Tasks whose code is run again from its beginning instead of ending: what polls for something, and
// keeps no stack meanwhile. The running task says when it is to be run again (set_run_again()), and
// each time that it is (run_again()); when its code returns, it waits for that.
//
// Such a task is marked kRunsAgain and kDetachable from its first call on, so that completion looks
// at it separately (finish_special()).
//
// Owner: the running task, then whoever finishes it. Thread safety: by the running task only.
#pragma once

#include <cstdint>

namespace loomp::core {

struct Task;

enum class RunAgain {
    when_unblocked, ///< unblock_task()
    at_once,        ///< after what is ready
    after_time,
    after_events ///< when nothing holds it any more (core/external/task_events.h, hold())
};

/// From now on, and until the next call, the running task is run again `when`; `time`, with
/// after_time, in nanoseconds. False: its code cannot be run again, since its creator waits for its
/// end, its private variables do not outlive its code, or it is an implicit task or untied.
bool set_run_again(RunAgain when, std::uint64_t time);
/// When the running task's code returns, it is run again. False: likewise.
bool run_again();

namespace completion {
/// The code of `task`, for which run_again() was called, has returned.
void wait_to_run_again(Task &task);
/// The code of `task`, for which it was not called, has returned.
void forget_run_again(Task &task);
/// Nothing holds the task any more, and its code has returned. True: it is run again.
bool runs_after_events(Task &task);
} // namespace completion

} // namespace loomp::core
