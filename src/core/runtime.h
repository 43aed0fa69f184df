// The runtime as a whole: start, fork of the process, end.
#pragma once

#include "core/display_env.h"

namespace loomp::core {

/// Reads settings, prepares fences, tools and handlers; once, by whoever comes first. Called when
/// the library is loaded, and by entry points that may run before.
void initialize();

/// Arranges that threads of the program are detached when they end (core/worker.cpp).
void watch_thread_exits();

} // namespace loomp::core
