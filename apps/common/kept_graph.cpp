#include "common/kept_graph.h"

// Its functions are null on other runtimes.
#define LOOMP_WEAK
#include "loomp/loomp.h"

namespace apps::kept_graph {

bool can_be_kept() { return loomp_persistent_begin != nullptr; }

bool begin(const char *where, Keep keep, bool waits) {
    if (keep == Keep::nothing || !can_be_kept())
        return true;
    unsigned how = 0;
    if (keep == Keep::everything)
        how |= LOOMP_PERSISTENT_REPLAY;
    if (!waits)
        how |= LOOMP_PERSISTENT_NO_BARRIER;
    return loomp_persistent_begin(where, how) != 0;
}

void end(Keep keep) {
    if (keep != Keep::nothing && can_be_kept())
        loomp_persistent_end();
}

} // namespace apps::kept_graph
