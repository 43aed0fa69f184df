#include "runtime/core/scheduling/throttled_creators.h"

#include "runtime/core/scheduling/resume.h"

namespace loomp::core {

Atomic<int> throttled_creators{0};

namespace {

/// Takes the flag back; true for the one who has to resume the creator.
bool take_flag(Task &task) {
    // acq_rel: `waiter` was stored before the flag.
    return (task.children.fetch_and(~children::kWaitFewer, std::memory_order_acq_rel) &
            children::kWaitFewer) != 0;
}

} // namespace

void let_creator_go_on(Task &creator) {
    if ((creator.children.load(std::memory_order_relaxed) & children::kWaitFewer) != 0 &&
        take_flag(creator))
        make_resumable(*creator.waiter);
}

LOOMP_COLD void fewer_children(Task &parent, std::uint64_t word) {
    if (few_enough(parent, word) && take_flag(parent))
        make_resumable(*parent.waiter);
}

} // namespace loomp::core
