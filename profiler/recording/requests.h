// Finds the uses of MPI requests in the records of a process.
//
// Records name a request by its handle, and a handle is used again and again, by any thread. Its
// uses follow each other. A use begins when a call returns the handle (the time of its record), and
// a call that began later ends it (see profiler/format/format.h). So one pass over all threads'
// records in order of these times separates them. A handle's meaning before an unrecorded time (a
// pause) does not determine its meaning afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profiler/recording/recording.h"

namespace loomp::analysis {

struct RequestUse {
    record::Kind kind = record::Kind::send;
    std::uint32_t communicator = 0; ///< the process' number
    std::uint32_t peer = record::kAny;
    std::uint32_t tag = record::kAny; ///< peer and tag are the actual ones of a completed request
    std::uint32_t function = 0;       ///< function that started or made it
    std::uint64_t bytes = 0;
    bool wildcard = false;  ///< a receive from any rank or of any tag
    bool completed = false; ///< found by the program; a freed one, for example, is not
    bool cancelled = false; ///< cancelled, or its call failed
    bool cancel_tried = false;
};

/// A record that starts or completes a use.
struct RequestRecord {
    std::size_t record; ///< index in its thread's records
    Index use;          ///< kNone: not in the recording
};

class Requests {
  public:
    explicit Requests(const RecordedProcess &process);

    const RequestUse &use(Index index) const { return uses_[index]; }
    /// The requests in the order of the thread's records; `thread` is its position.
    std::span<const RequestRecord> of_thread(std::size_t thread) const { return threads_[thread]; }

  private:
    std::vector<RequestUse> uses_;
    std::vector<std::vector<RequestRecord>> threads_;
};

} // namespace loomp::analysis
