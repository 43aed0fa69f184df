// A trace as an OTF2 archive, FOLDER/traces.otf2 with its files.
//
// Threads are locations, processes location groups in the order of their ranks. Tasks are OTF2's
// thread tasks, named by the creating thread's number and a number of its own, in a team that is
// the process. Each kind of task is a region of the role task, which a location is in while it runs
// such a task, so any viewer of OTF2's shows them. What OTF2 has no word for is in attributes of
// the events, by name, so that others can read it, too:
//   kind       of a created task: its region
//   leaving    of a switch: why the task before leaves: 1 yielded (otherwise it waits)
//   implicit   of a switch: the task is a thread's own
//   later      of a completion: the code ends, and the task completes later
//   on behalf  of a completion: it is of a task that the thread is not in
//   suspended  of entering or leaving an MPI function, or a construct in which an explicit task
//              waits: the task does so as it resumes or suspends; of a region that the program
//              names, also where one ends that it is not in
//   synchronous  of a send
//   communicator of a collective's start
//   task       of the completion of a request: the task that it is for, which may be on no thread,
//   as
//              its creator's number in the team << 32 | its own
//   region     of entering a parallel region: the same for all members of its team
// Constructs in which tasks wait for others (taskwait, taskgroup, barriers) are regions. Those of a
// thread's own task enclose the tasks that run meanwhile.
// So are parallel regions and worksharing constructs, by their places in the source, and those that
// the program names, of the paradigm USER: what nobody enters again has ended where it was left.
// A process' first location has when it began and ended, as events of OTF2's.
// What devices do is on locations of the type accelerator stream, behind those of threads: each
// has one of the things that a device does at once, in regions of their own. Attributes of entering
// one of those:
//   device     its number
//   work       0 a kernel, 1 a copy to the device, 2 a copy from it
//   bytes      of a copy
//   held       nanoseconds that the thread which asked for it was held up
//   task       in whose construct it is, as above
// Counters are metrics, one a process, accumulated on each location, and written before switches.
// MPI calls are regions, and blocking ones are requests, too, started and completed in one call.
// Of times in which nothing was recorded, each location has that measurement is off and on again;
// which task it goes on with, a switch says. Items of depend clauses are in integer parameters
// after the creation, "depend(in)" and so on; of a task's deletion the parameter "task deleted" has
// its name, as the attribute "task" does.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "profiler/recording/mapped_file.h"
#include "profiler/recording/recording.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

inline constexpr const char *kArchive = "traces.otf2";

/// Replaces the archive in `folder`. Returns what makes no sense in what the program told the
/// recorder, a line each. Throws std::runtime_error.
std::vector<std::string> write_archive(const Recording &recording,
                                       const std::filesystem::path &folder);

struct ReadOptions {
    bool accesses = false; ///< Trace::accesses is filled
};

/// Reads an archive, ours as a rule: of others, what it has in common with ours. What is missing or
/// damaged is left out and told of in Trace::problems. Throws std::runtime_error if it cannot be
/// read at all.
Trace read_archive(const std::filesystem::path &anchor, const ReadOptions &options = {});

/// The same, with its files opened by `open`.
using OpenFile = std::function<MappedFile(const std::filesystem::path &)>;
Trace read_archive(const std::filesystem::path &anchor, const OpenFile &open,
                   const ReadOptions &options);

} // namespace loomp::analysis
