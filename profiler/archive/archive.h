// A trace as an OTF2 archive, FOLDER/traces.otf2 with its files.
//
// Threads are locations. Processes are location groups in the order of their ranks. Tasks are
// OTF2's thread tasks in a team that is the process; the creating thread's number and its count of
// tasks name a task. Each kind of task is a region of the role task. A location is in this region
// while it runs such a task, so any OTF2 viewer shows tasks. Named attributes of the events hold
// what OTF2 has no record for, so that other tools can read it:
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
//   task       of the completion of a request: the task that it is for, which may be on no thread:
//              its creator's number in the team << 32 | its own
//   region     of entering a parallel region: the same for all members of its team
//   undeferred  of a creation: the creator waits for the task
//   peer, tag, communicator  of a receive whose completion is unknown; all bits set: any
//   wildcard   of a receive: it was from any rank, or of any tag
// A collective's sizes are both the larger of what the rank gives and gets.
// Constructs in which tasks wait for others (taskwait, taskgroup, barriers) are regions. If an
// implicit task waits, its construct encloses the tasks that run meanwhile. Parallel regions and
// worksharing constructs are regions, too, one per place in the source. Regions that the program
// names have the paradigm USER; such a region has ended where it was left, unless it is entered
// again. A task that waits for a mutex is in a region whose name begins with "wait for " meanwhile.
// The first location of a process has OTF2's events for the begin and end of the process.
// Device work is on locations of the type accelerator stream, which follow the threads' locations.
// Work that overlaps is on different locations, in regions for devices only. Entering such a region
// has the attributes:
//   device     its number
//   work       0 a kernel, 1 a copy to the device, 2 a copy from it
//   bytes      of a copy
//   held       nanoseconds that the thread which asked for it was held up
//   task       in whose construct it is, as above
// Counters are metrics, one a process, accumulated on each location, and written before switches.
// MPI calls are regions. A blocking call is also a request, started and completed in one call.
// While nothing was recorded, a location has OTF2's events for measurement off and on; a switch
// then names the task that the thread is in. Items of depend clauses are integer parameters after
// the creation, "depend(in)" and so on. The parameters "mutex acquired" and "mutex released" name a
// mutex of the process that the current task has from now on, or no longer; "mutex made" names one
// that is new. A deletion is the parameter "task deleted", which names the task like the attribute
// "task".
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

/// Replaces the archive in `folder`. Returns one line for each kind of the program's wrong calls of
/// the recorder. Throws std::runtime_error.
std::vector<std::string> write_archive(const Recording &recording,
                                       const std::filesystem::path &folder);

struct ReadOptions {
    bool accesses = false; ///< Trace::accesses is filled
};

/// Reads an archive, usually one of ours; archives of other tools give what they have in common
/// with ours. Missing or damaged parts are left out and reported in Trace::problems. Throws
/// std::runtime_error if the archive cannot be read at all.
Trace read_archive(const std::filesystem::path &anchor, const ReadOptions &options = {});

/// read_archive() with a function that opens its files.
using OpenFile = std::function<MappedFile(const std::filesystem::path &)>;
Trace read_archive(const std::filesystem::path &anchor, const OpenFile &open,
                   const ReadOptions &options);

} // namespace loomp::analysis
