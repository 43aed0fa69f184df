#include "runtime/target/completion_reports.h"

#include "platform/common.h"

namespace loomp::target {

constinit Atomic<ToldCompleted> told_completed{nullptr};

namespace {

LOOMP_THREAD_LOCAL std::uint64_t word = 0;

} // namespace

LOOMP_NOINLINE std::uint64_t *word_of_construct() { return &word; }

void tell_completed(std::uint64_t construct) {
    if (construct == 0)
        return;
    // acquire: what the tool has set up.
    if (const ToldCompleted tell = told_completed.load(std::memory_order_acquire))
        tell(construct);
}

} // namespace loomp::target
