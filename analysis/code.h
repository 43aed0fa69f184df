// The code of tasks: what they ran outside MPI calls, cut where a call starts or completes a
// request (thesis of R. Pereira, 4.1.3, step b).
#pragma once

#include <vector>

#include "analysis/trace.h"

namespace loomp::analysis {

/// A piece of a task's code, on one thread without a break.
struct Stretch {
    Time begin;
    Time end;
    Index task;
    Index thread;
    Index section; ///< of the task: how many calls that cut it came before
};

/// A call that starts or completes a request, and so ends a section; others, such as a test that
/// finds nothing, are time in MPI all the same.
inline bool cuts(const Call &call) { return call.changes_count > 0; }

/// Of all tasks, task by task, in order of time. None is empty.
std::vector<Stretch> code_of(const Trace &trace);

} // namespace loomp::analysis
