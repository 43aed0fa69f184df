// The runtime as a whole: start, fork of the process, end.
#pragma once

#include "core/base/common.h"
#include "core/environment/display_env.h"

namespace loomp::core {

/// Reads settings, prepares fences, tools and handlers; once, by whoever comes first: when the
/// library is loaded, if the program knows libgomp, which reads its environment then. A program
/// that knows libomp may change its environment until it first uses OpenMP.
LOOMP_NOINLINE void initialize();

/// Has fork() leave the child what it can rely on (core/base/locks_at_fork.h), and make the rest
/// anew. Once, at start.
void watch_forks();

} // namespace loomp::core
