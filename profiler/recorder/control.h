// The details that are recorded at the moment: the requested ones (profiler/format/detail.h), or
// none while the program has stopped the recorder (include/loomp/record.h).
//
// While it is stopped, tasks still get names, and implicit tasks, communicators and the making of
// persistent requests are recorded: later records refer to them. Thread safety: any thread may call
// any of these. A thread may still finish a record while another stops the recorder; the reader
// ignores records with a time between a stop and a start.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "profiler/format/detail.h"
#include "profiler/recorder/buffer.h"

namespace loomp::record {

extern LOOMP_SHARED std::atomic<std::uint32_t> wanted_now;

/// Relaxed, because no other data depends on it.
inline bool wanted(Detail what) { return (wanted_now.load(std::memory_order_relaxed) & what) != 0; }
/// True if it is recorded at all, now or later.
LOOMP_SHARED bool wanted_ever(Detail what);

/// Reads LOOMP_TRACE_DETAIL, LOOMP_TRACE_PAUSED and LOOMP_TRACE_COUNTERS. The process' folder must
/// exist.
void begin_control();
/// A forking thread takes this mutex after that of the labels.
std::mutex &lock_of_control();
/// A forked child calls this when its folder exists. It keeps its parent's state, except for
/// counters, which are the parent's.
void go_on_in_child();

} // namespace loomp::record
