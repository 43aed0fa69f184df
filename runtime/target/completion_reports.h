// What tools are told of device constructs beside what libomptarget tells them: when the work that
// a construct has begun has completed. libomptarget tells of its own calls only, which end sooner.
//
// Thread safety: from any thread.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace loomp::target {

/// `construct`: what the tool has put into the word, never 0.
using CompletionReport = void (*)(std::uint64_t construct);
/// Null: nobody wants to know.
extern Atomic<CompletionReport> completion_report;

/// The tool's word of the construct for which the calling thread is in libomptarget: 0 before that.
std::uint64_t *word_of_construct();

/// What that construct has begun has completed.
void report_completed(std::uint64_t construct);

} // namespace loomp::target
