// Tasks whose code is run again from its beginning instead of ending: they wait for something and
// keep no stack meanwhile.
//
// The running task names a function that is called whenever its code has returned
// (when_returned()), and says of each run that it is not the last one (run_again()). The task is
// marked kTellsReturn and kDetachable, so that completion looks at it separately
// (finish_special()). The function and its data stand in the task's own control variables.
//
// Owner: the running task, then the function. Thread safety: by the running task only.
#pragma once

namespace loomp::core {

/// `ends`: 0 after run_again(); the task is then the function's, which makes it ready again by
/// make_ready_again(), or has that done later.
using ReturnedFn = void (*)(void *data, int ends);

/// Has `returned` called from now on until the running task ends. Returns false if its code cannot
/// be run again, since its creator waits for its end, its private variables do not outlive its
/// code, or it is an implicit task or untied.
bool when_returned(ReturnedFn returned, void *data);
/// The running task does not end when its code returns. It may be called after when_returned()
/// only.
void run_again();

} // namespace loomp::core
