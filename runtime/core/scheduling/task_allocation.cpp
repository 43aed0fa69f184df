#include "runtime/core/scheduling/task_allocation.h"

namespace loomp::core {

LOOMP_NOINLINE void fold_overflow(Task &parent) {
    parent.children.fetch_add(parent.created * children::kOne, std::memory_order_acq_rel);
    parent.created = 0;
}

} // namespace loomp::core
