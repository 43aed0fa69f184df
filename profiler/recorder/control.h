// What is recorded at the moment: the details that were asked for (profiler/format/detail.h), or
// nothing while the program has stopped the recorder (include/loomp/record.h).
//
// While it is stopped, tasks still get names, and implicit tasks, communicators and the making of
// persistent requests are recorded: what comes later refers to them. Thread safety: any thread may
// call any of these; who is about to record while another stops the recorder may still do so, and
// the reader leaves out what has a time between a stop and a start.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "profiler/format/detail.h"
#include "profiler/recorder/buffer.h"

namespace loomp::record {

extern LOOMP_SHARED std::atomic<std::uint32_t> wanted_now;

/// Relaxed: nothing else is read on the strength of it.
inline bool wanted(Detail what) { return (wanted_now.load(std::memory_order_relaxed) & what) != 0; }
/// Whether it is recorded at all, now or later.
LOOMP_SHARED bool wanted_ever(Detail what);

/// As LOOMP_TRACE_DETAIL, LOOMP_TRACE_PAUSED and LOOMP_TRACE_COUNTERS say; when the process' folder
/// is there.
void begin_control();
/// For who forks; taken after that of the labels.
std::mutex &lock_of_control();
/// In a forked child, when its folder is there: as its parent was told last, but for counters,
/// which are the parent's.
void go_on_in_child();

} // namespace loomp::record
