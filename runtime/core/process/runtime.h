// The runtime as a whole: start, fork of the process, end.
#pragma once

#include <string>

#include "platform/common.h"

namespace loomp::core {

/// Reads settings; prepares fences, tools and handlers. Called once, by the first user. A program
/// built for libgomp starts loomp when the library is loaded, because libgomp reads its environment
/// then. A program built for libomp may change its environment until it first uses OpenMP.
LOOMP_NOINLINE void initialize();

/// Makes fork() leave the child a state on which it can rely (platform/locks_at_fork.h), and
/// recreate the rest. Called once, at start.
void watch_forks();

/// Limits the process to the part-th of `parts` shares of the processors, because other processes
/// of its node may use the same ones. It binds the calling thread to the share, and regions have as
/// many threads by default. Returns the share as text, such as "0-3". Returns no text and does
/// nothing in these cases: LOOMP_SPREAD_RANKS is false; the user binds threads or requests more
/// than a share has; there are fewer processors than parts; loomp has made threads already. Called
/// by one thread, which makes the others later.
std::string take_processor_share(int part, int parts);

/// The file that this code was loaded from; "?" if that is unknown.
const char *library_path();

} // namespace loomp::core
