#include "core/base/made_once.h"

#include <new>

namespace loomp::core {

std::recursive_mutex making;

void release_making_in_child() {
    // It is held by the thread that this one was in the parent.
    new (&making) std::recursive_mutex;
}

} // namespace loomp::core
