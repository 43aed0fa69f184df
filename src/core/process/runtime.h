// The runtime as a whole: start, fork of the process, end.
#pragma once

#include "core/environment/display_env.h"

namespace loomp::core {

/// Reads settings, prepares fences, tools and handlers; once, by whoever comes first. Called when
/// the library is loaded, and by entry points that may run before.
void initialize();

} // namespace loomp::core
