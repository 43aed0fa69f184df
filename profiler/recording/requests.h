// Which uses of MPI requests the records of a process tell of.
//
// Records name a request by its handle, and a handle is used again and again, by any thread. Its
// uses follow each other: a use begins when a call returns the handle (that is the time of its
// record), and what ends it is a call that began after that (profiler/format/format.h has that,
// too). So one look at all threads' records in order of these times tells them apart. What a handle
// meant before a time of which nothing is known (a pause) says nothing of what it means afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profiler/recording/recording.h"

namespace loomp::analysis {

struct RequestUse {
    record::Kind kind = record::Kind::send;
    std::uint32_t communicator = 0; ///< as the process numbers them
    std::uint32_t peer = record::kAny;
    std::uint32_t tag = record::kAny; ///< both the actual ones, once it is completed
    std::uint32_t function = 0;       ///< that started it, or made it
    std::uint64_t bytes = 0;
    bool cancelled = false;
};

/// A record that starts or completes a use.
struct RequestRecord {
    std::size_t record; ///< of its thread
    Index use;          ///< kNone: of one that is not in the recording
};

class Requests {
  public:
    explicit Requests(const RecordedProcess &process);

    const RequestUse &use(Index index) const { return uses_[index]; }
    /// In the order of the thread's records; `thread` is its position.
    std::span<const RequestRecord> of_thread(std::size_t thread) const { return threads_[thread]; }

  private:
    std::vector<RequestUse> uses_;
    std::vector<std::vector<RequestRecord>> threads_;
};

} // namespace loomp::analysis
