// Reports the completion of device constructs to tools. libomptarget reports only its own calls,
// which return earlier than the work that they begin.
//
// Thread safety: from any thread.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace loomp::target {

/// `construct`: the tool's value of the construct's word, never 0.
using CompletionReport = void (*)(std::uint64_t construct);
/// Null if no tool requests reports.
extern Atomic<CompletionReport> completion_report;

/// Returns the tool's word of the construct for which the calling thread is in libomptarget; 0
/// until the tool sets it.
std::uint64_t *word_of_construct();

/// Reports that the construct's work has completed.
void report_completed(std::uint64_t construct);

} // namespace loomp::target
