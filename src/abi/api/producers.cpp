// experimental.h: producers first.
#include "abi/export.h"
#include "core/base/diagnostics.h"
#include "core/scheduling/spawning.h"
#include "loomp/experimental.h"

using namespace loomp;

LOOMP_EXPORT int loomp_set_producers_first(int on) {
    if (core::choose_producers_first(on != 0))
        return 0;
    core::warn("loomp_set_producers_first: tasks may exist in a parallel region; ignored, call it "
               "outside");
    return 1;
}
