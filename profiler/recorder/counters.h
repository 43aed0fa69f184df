// Counters of the processor or the kernel, read through PAPI. The library is searched when the
// program runs. LOOMP_TRACE_COUNTERS names the counters, for example "PAPI_TOT_INS,PAPI_TOT_CYC".
//
// LOOMP_TRACE_CPU_TIME adds the thread's CPU clock, which needs no PAPI. All counters are then also
// read at creations, waits and MPI calls, so that the time between these is code. The cost of
// reading is left out. Counters count per thread, and are read when the thread changes its task.
// Their differences therefore belong to the task that ran between. Thread safety: each thread reads
// its own.
#pragma once

#include <cstdint>

#include "profiler/recorder/buffer.h"

namespace loomp::record {

/// Finds the requested counters that are available, and reports the others. The result has
/// kCounters if there is any, and kCpuTime if the CPU clock is one.
std::uint32_t begin_counters();
/// Adds the calling thread's counters to its buffer.
LOOMP_SHARED void add_counters(std::uint64_t time);

} // namespace loomp::record
