// Writes a thread's events to a file that is mapped piece by piece.
//
// No file stays open: the program may close all descriptors and use their numbers for its own.
//
// Only the thread itself writes to it, so no thread waits. The kernel owns a mapped piece, so a
// process that ends in any way loses only the event it was writing. Therefore no buffer needs to be
// closed while its thread might use it. Space is reserved on disk before it is mapped: a full disk
// ends the recording, with one line, but not the program. A ring has a few pieces and reuses the
// oldest.
//
// A thread that ends unmaps its piece. If it adds more after that, in a later destructor, it maps
// the piece again and continues in it. A buffer is in one of four states:
//   mapped    piece_ is the piece, next_ and end_ lie in it
//   unmapped  folder_ is set, next_ and end_ are null: the next event maps a piece
//   losing    folder_ is null, next_ and end_ lie in memory that nothing reads
//   idle      folder_ is null, next_ and end_ are null: the next event makes it losing
#pragma once

#include <atomic>
#include <cstddef>

#include "profiler/format/format.h"

/// The interface of libloomp-record for the recorders of MPI.
#define LOOMP_SHARED __attribute__((visibility("default")))

namespace loomp::record {

class Buffer {
  public:
    /// The buffer of thread `number` (from 1 on) of the process with the folder `folder`, a text
    /// that outlives it. It keeps the last `ring` pieces, or all if that is 0. `forks` counts the
    /// forks before this process; each fork changes the names of new tasks.
    void open(const char *folder, std::uint32_t number, std::size_t ring, std::uint32_t forks);
    /// A forked child calls this, because the file belongs to the parent. Events are lost until
    /// open().
    void abandon();
    /// From now on, the memory of threads that end is given back. Called once, before open().
    static void watch_threads();

    void add(Event event, std::uint64_t time, std::uint64_t task, std::uint64_t other,
             std::uint32_t detail) {
        if (next_ == end_) [[unlikely]]
            grow();
        Record *record = next_++;
        record->time = time;
        record->task = task;
        record->other = other;
        record->detail = detail;
        // Release: a record with an event is complete, also for a concurrent reader of the file.
        std::atomic_ref(record->event).store(event, std::memory_order_release);
    }

    /// A name for a task or a request, unique in the process.
    std::uint64_t new_name() { return task_name(number_, names_ = next_number(names_)); }
    std::uint64_t new_implicit_name() {
        return task_name(number_, kFirstImplicit + implicits_++ % (kNoNumber - kFirstImplicit));
    }

  private:
    static constexpr std::size_t kPiece = kPieceSize;
    static constexpr std::size_t kRecords = kPiece / sizeof(Record);
    static constexpr std::size_t kPath = 4096;

    LOOMP_SHARED void grow();
    void write_path(char (&path)[kPath]) const;
    /// Maps the piece at offset_; returns an error's number.
    int map_piece();
    void begin_piece();
    void lose();
    void unmap();
    /// Calls leave_memory() when the calling thread ends.
    void watch_end();
    void leave_memory();

    Record *next_ = nullptr;
    Record *end_ = nullptr;
    Record *piece_ = nullptr;      ///< null: none is mapped
    Record *lost_ = nullptr;       ///< memory that nothing reads; null: none
    std::size_t offset_ = 0;       ///< position of the piece in the file
    std::size_t used_ = 0;         ///< records in the unmapped piece; 0: it is full
    std::size_t ring_ = 0;         ///< pieces in the ring; 0: no ring
    std::uint64_t pieces_ = 0;     ///< pieces begun so far
    const char *folder_ = nullptr; ///< null: events are lost
    std::uint32_t number_ = 0;
    std::uint32_t names_ = 0; ///< number of the latest name
    std::uint32_t implicits_ = 0;
    bool watched_ = false; ///< leave_memory() will be called
};

} // namespace loomp::record
