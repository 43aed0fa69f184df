// A thread's events on their way to disk: a file that is mapped, a piece at a time.
//
// Only the thread itself writes to it; nobody waits for anybody. What is in a piece belongs to the
// kernel, so a process that ends in any way loses nothing but the event it was writing, and nobody
// has to close a buffer that its thread might still be using. Space is reserved on disk before it
// is mapped: a full disk ends the recording, with one line, and not the program. A ring has a few
// pieces, and the oldest is used again.
#pragma once

#include <atomic>
#include <cstddef>

#include "profiler/format/format.h"

/// What libloomp-record offers to the recorders of MPI.
#define LOOMP_SHARED __attribute__((visibility("default")))

namespace loomp::record {

class Buffer {
  public:
    /// For thread `number` (from 1 on) of the process whose folder is `folder`; of which the last
    /// `ring` pieces are kept, all if that is 0.
    /// `forks`: how many came before this process; names of tasks are others after each.
    void open(const char *folder, std::uint32_t number, std::size_t ring, std::uint32_t forks);
    /// In a forked child: the file is the parent's. What comes is lost, until open().
    void abandon();

    void add(Event event, std::uint64_t time, std::uint64_t task, std::uint64_t other,
             std::uint32_t detail) {
        if (next_ == end_) [[unlikely]]
            grow();
        Record *record = next_++;
        record->time = time;
        record->task = task;
        record->other = other;
        record->detail = detail;
        // Release: a record with an event is complete, also for who reads the file meanwhile.
        std::atomic_ref(record->event).store(event, std::memory_order_release);
    }

    /// Of a task or a request: no other in the process has it.
    std::uint64_t new_name() { return task_name(number_, ++names_); }
    std::uint64_t new_implicit_name() {
        return task_name(number_, kFirstImplicit + implicits_++ % (kNoNumber - kFirstImplicit));
    }

  private:
    static constexpr std::size_t kPiece = kPieceSize;
    static constexpr std::size_t kLost = 64; ///< records that are written in circles, for nobody

    LOOMP_SHARED void grow();
    void begin_piece();
    void lose();
    void unmap();

    Record *next_ = nullptr;
    Record *end_ = nullptr;
    Record *piece_ = nullptr;  ///< null: what comes is lost
    std::size_t offset_ = 0;   ///< of the piece in the file
    std::size_t ring_ = 0;     ///< pieces of it; 0: none
    std::uint64_t pieces_ = 0; ///< begun until now
    int file_ = -1;
    std::uint32_t number_ = 0;
    std::uint32_t names_ = 0; ///< given
    std::uint32_t implicits_ = 0;
    Record lost_[kLost];
};

} // namespace loomp::record
