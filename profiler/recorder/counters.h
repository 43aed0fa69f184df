// Counters of the processor or the kernel, by PAPI, whose library is looked for when the program
// runs: LOOMP_TRACE_COUNTERS names them, as in "PAPI_TOT_INS,PAPI_TOT_CYC".
//
// LOOMP_TRACE_CPU_TIME adds the thread's CPU clock, which needs no PAPI, and has all of them read
// at creations, waits and MPI calls, too: what lies between these is code. What reading costs is
// left out of it. They count each thread. A thread's are read when it goes from one task to
// another, so that their differences are those of what ran between. Thread safety: each thread
// reads its own.
#pragma once

#include <cstdint>

#include "profiler/recorder/buffer.h"

namespace loomp::record {

/// Finds out which of the counters that are asked for are there, and tells of those that are not.
/// Returns kCounters if there is any, and kCpuTime if the CPU clock is one.
std::uint32_t begin_counters();
/// Adds to the calling thread's buffer what its counters are.
LOOMP_SHARED void add_counters(std::uint64_t time);

} // namespace loomp::record
