// Iterations that create the same tasks each time. If the runtime can keep their graph (loomp), it
// is found once. Otherwise each iteration runs unchanged.
#pragma once

#include <string>
#include <vector>

namespace apps::kept_graph {

enum class Keep {
    nothing,
    tasks,     // the creating code runs each time, and finds its tasks made
    everything // it does not run again: the tasks run with the data of the first time
};
// On the command line.
inline std::vector<std::string> names() { return {"no", "reexecute", "replay"}; }

bool can_be_kept();

// Begins an iteration in the task that creates the tasks; `where` is a string of its own for each
// loop. True: the creating code is to run, and end() to follow. `waits`: each iteration ends with a
// wait for its tasks, if it is kept.
bool begin(const char *where, Keep keep, bool waits);
void end(Keep keep);

} // namespace apps::kept_graph
