// Begins and ends that threads have told of apart from each other, as pairs.
#pragma once

#include "profiler/build/draft.h"

namespace loomp::analysis {

/// Makes Trace::waits. Segments are sorted.
void pair_waits(Draft &draft);
/// Makes Trace::user_regions: of a task that is not implicit, over all threads; of the others,
/// thread by thread. What is not ended, by a kill, say, ends where it was seen last.
void pair_user_regions(Draft &draft);

} // namespace loomp::analysis
