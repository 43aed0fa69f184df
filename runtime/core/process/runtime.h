// The runtime as a whole: start, fork of the process, end.
#pragma once

#include <string>

#include "platform/common.h"

namespace loomp::core {

/// Reads settings, prepares fences, tools and handlers; once, by whoever comes first: when the
/// library is loaded, if the program knows libgomp, which reads its environment then. A program
/// that knows libomp may change its environment until it first uses OpenMP.
LOOMP_NOINLINE void initialize();

/// Has fork() leave the child what it can rely on (platform/locks_at_fork.h), and make the rest
/// anew. Once, at start.
void watch_forks();

/// Makes the part-th of `parts` shares of the processors the process' own, since other processes of
/// its node may use the same ones: binds the calling thread to it, and regions have as many threads
/// by default. Returns them as text, such as "0-3"; or none, and does nothing, where
/// LOOMP_SPREAD_RANKS is false, the user binds threads or asks for more than a share has, there are
/// fewer processors than parts, or loomp has made threads already. By one thread, which is to make
/// the others.
std::string take_processor_share(int part, int parts);

} // namespace loomp::core
