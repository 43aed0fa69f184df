// fork(): what the child, which has the calling thread and no other, can rely on
// (core/base/locks_at_fork.h), and what it makes anew.
#pragma once

namespace loomp::core {

/// Once, at start.
void watch_forks();

} // namespace loomp::core
