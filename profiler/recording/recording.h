// What libloomp-record has left in a folder (profiler/format/format.h), ready to be read: also of
// processes that were killed, as far as they came.
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
    std::span<const record::Record> records; ///< in it, or in `gathered`
    std::vector<record::Record> gathered;    ///< of a ring
    bool stands_in = false;                  ///< the runtime's: it begins target tasks of others
    /// Of what was before, by the process' clock, all or a part is gone: a ring's.
    Time known_from = std::numeric_limits<Time>::min();
};

/// A communicator of a process; ranks are those in MPI_COMM_WORLD.
struct RecordedCommunicator {
    std::uint32_t number;
    std::vector<long> members;
    std::vector<long> remote; ///< of an intercommunicator: the other group, which peers are of
};

struct RecordedProcess {
    std::filesystem::path folder;
    std::string host;
    std::string runtime; ///< what OpenMP's calls itself
    long rank = -1;      ///< as MPI or its launcher said; -1: nothing
    long pid = 0;
    std::string clock_name;              ///< the same for who shares its clock
    Time began = 0;                      ///< by its clock
    Time loaded = kNever;                ///< likewise, when the program began; kNever: not known
    Time ended = kNever;                 ///< likewise; kNever: it was killed, or not known
    std::vector<long> forked;            ///< children that have recordings of their own
    Time to_real = 0;                    ///< to be added for times since 1970, as its host has them
    std::vector<ClockOffset> offsets;    ///< from its clock to rank 0's, as measured
    Clock clock;                         ///< of its times
    std::vector<RecordedThread> threads; ///< by number, stand-ins behind the others
    /// Of device constructs, those of one thread after the other; empty: there are none.
    std::vector<std::vector<record::Record>> device_records;
    std::vector<std::string> labels;   ///< of tasks, by number - 1
    std::vector<std::string> counters; ///< by their positions in records
    /// When the program wanted nothing recorded, in order; by its own clock, as records are. The
    /// last may end at kNever.
    std::vector<Interval> pauses;

    /// When nothing is known of a thread: pauses, and what is gone.
    std::vector<Interval> gaps_of(const RecordedThread &thread) const;
    std::vector<RecordedCommunicator> communicators; ///< in the order of their making
};

struct Recording {
    std::vector<RecordedProcess> processes; ///< by rank, then by number of the process
    std::vector<std::string> problems;      ///< what could not be read, a line each
    std::vector<std::string> remarks;       ///< what else is missing, a line each
};

/// Throws std::runtime_error if `folder` has no recording.
Recording open_recording(const std::filesystem::path &folder);

} // namespace loomp::analysis
