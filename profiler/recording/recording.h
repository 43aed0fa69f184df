// Reads the folder of libloomp-record (profiler/format/format.h). Recordings of killed processes
// are read as far as they go.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "profiler/format/format.h"
#include "profiler/recording/mapped_file.h"
#include "profiler/recording/shared_clock.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct RecordedThread {
    std::uint32_t number;
    MappedFile file;
    std::span<const record::Record> records; ///< in the file, or in `gathered`
    std::vector<record::Record> gathered;    ///< the records of a ring
    bool stands_in = false;                  ///< the runtime's: it begins target tasks of others
    /// Records before this time (process' clock) are partly or completely lost, because of a ring.
    Time known_from = std::numeric_limits<Time>::min();
};

/// A communicator of a process; ranks are those in MPI_COMM_WORLD.
struct RecordedCommunicator {
    std::uint32_t number;
    std::vector<long> members;
    std::vector<long> remote; ///< the other group of an intercommunicator, which peers are ranks of
};

struct RecordedProcess {
    std::filesystem::path folder;
    std::string host;
    std::string runtime; ///< the OpenMP runtime's own name
    long rank = -1;      ///< reported by MPI or its launcher; -1: unknown
    long pid = 0;
    std::string clock_name;              ///< equal in processes that share its clock
    Time began = 0;                      ///< in its clock
    Time loaded = kNever;                ///< in its clock, when the program began; kNever: unknown
    Time ended = kNever;                 ///< in its clock; kNever: it was killed, or unknown
    std::vector<long> forked;            ///< children that have recordings of their own
    Time to_real = 0;                    ///< offset to the time since 1970 on its host
    std::vector<ClockOffset> offsets;    ///< measured offset from its clock to rank 0's
    Clock clock;                         ///< the clock of its times
    std::vector<RecordedThread> threads; ///< by number, stand-ins after the others
    /// Records of device constructs, grouped by thread; empty if there are none.
    std::vector<std::vector<record::Record>> device_records;
    std::vector<std::string> labels;   ///< the tasks' labels, by number - 1
    std::vector<std::string> counters; ///< by their positions in records
    /// When the program wanted no recording, in order, in its own clock like records. The last may
    /// end at kNever.
    std::vector<Interval> pauses;

    /// The thread's unrecorded times: pauses, and lost parts of rings.
    std::vector<Interval> gaps_of(const RecordedThread &thread) const;
    std::vector<RecordedCommunicator> communicators; ///< in order of creation
};

struct Recording {
    std::vector<RecordedProcess> processes; ///< by rank, then by number of the process
    std::vector<std::string> problems;      ///< unreadable parts, a line each
    std::vector<std::string> remarks;       ///< other missing parts, a line each
};

/// Throws std::runtime_error if `folder` has no recording.
Recording open_recording(const std::filesystem::path &folder);

} // namespace loomp::analysis
