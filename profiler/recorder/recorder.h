// The base of the recorders of OpenMP and MPI: a folder for the process, and a buffer for each
// thread.
//
// Each thread has its own buffer (profiler/recorder/buffer.h), made at its first event and never
// freed. Only new threads and forks take the lock of the list of buffers. Thread safety: any
// thread may call any of these.
//
// A forked child must not use its parent's files. fork() calls handlers for this; _Fork() and
// clone() call none. The child is therefore also recognised by a page that the kernel clears in it
// (is_owner()), before the recorder uses a file in any process.
//
// The program may call the recorder before the recorder's constructors have run and after its
// destructors have: in constructors, atexit() handlers and threads that outlive main(). Therefore
// all state is initialized at compile time (constinit) and has no destructor.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>

#include "profiler/recorder/buffer.h"

namespace loomp::record {

/// Not 0 in the process that began to record, or has noticed that it is a child. It lies in a page
/// that the kernel clears in forked children. Before that page exists, it is another word, which is
/// not cleared.
extern std::atomic<const std::atomic<std::uint32_t> *> ownership;

/// False in a forked child that has not noticed that it is one.
inline bool is_owner() {
    // Acquire: the word is set before the page is used. The word itself orders nothing: only a fork
    // clears it.
    return ownership.load(std::memory_order_acquire)->load(std::memory_order_relaxed) != 0;
}

/// Makes the process' folder in LOOMP_TRACE_DIR, once. False if nothing is recorded; stderr has a
/// line unless this is intended.
LOOMP_SHARED bool begin();
/// The calling thread's buffer. A task may be on another thread after any call that can suspend it.
LOOMP_SHARED Buffer &buffer();
/// Adds to a file in the process' folder.
LOOMP_SHARED void append(const char *file, const char *text, std::size_t size);
/// Records the process' current memory map.
LOOMP_SHARED void append_maps();
/// The first call in a forked child that runs tasks or regions makes its folder next to the
/// trace's. It notes the child in the parent's folder and starts recording.
LOOMP_SHARED void record_child();
/// The name of CLOCK_MONOTONIC here: processes that share the clock have equal names.
LOOMP_SHARED const char *clock_name();

inline std::uint64_t now(clockid_t clock = CLOCK_MONOTONIC) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(time.tv_nsec);
}

} // namespace loomp::record
