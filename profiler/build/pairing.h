// Pairs begins and ends that threads have reported separately.
#pragma once

#include "profiler/build/draft.h"

namespace loomp::analysis {

/// Makes Trace::waits. Segments are sorted.
void pair_waits(Draft &draft);
/// Makes Trace::holdings. A mutex that is never given back stays with its task until another task
/// has it, or to the task's end.
void pair_holdings(Draft &draft);
/// Makes Trace::user_regions. Regions of explicit tasks are paired over all threads, others thread
/// by thread. A region without an end, for example after a kill, ends where its task or thread was
/// seen last.
void pair_user_regions(Draft &draft);

} // namespace loomp::analysis
