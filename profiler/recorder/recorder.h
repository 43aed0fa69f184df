// What the recorder of OpenMP and that of MPI share: a folder for the process, and a buffer for
// each thread.
//
// Each thread has a buffer of its own (profiler/recorder/buffer.h), made at its first event and
// never closed; the list of them has a lock, which only new threads and forks take. Thread safety:
// any thread may call any of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>

#include "profiler/recorder/buffer.h"

namespace loomp::record {

/// Makes the process' folder in LOOMP_TRACE_DIR; once. False if nothing is recorded, of which a
/// line on stderr has told unless it is meant to be so.
LOOMP_SHARED bool begin();
/// The calling thread's. A task may be on another thread after any call that can suspend it.
LOOMP_SHARED Buffer &buffer();
/// Adds to a file in the process' folder.
LOOMP_SHARED void append(const char *file, const char *text, std::size_t size);
/// Notes what addresses mean by now.
LOOMP_SHARED void append_maps();
/// In a forked child that runs tasks or regions, once: makes it a folder of its own, beside the
/// trace's, notes that in the folder of the process that forked it, and begins to record.
LOOMP_SHARED void record_child();
/// The name of CLOCK_MONOTONIC here: processes that share it have the same one.
LOOMP_SHARED const char *clock_name();

inline std::uint64_t now(clockid_t clock = CLOCK_MONOTONIC) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(time.tv_nsec);
}

} // namespace loomp::record
