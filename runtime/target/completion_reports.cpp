#include "runtime/target/completion_reports.h"

#include "platform/common.h"

namespace loomp::target {

constinit Atomic<CompletionReport> completion_report{nullptr};

namespace {

LOOMP_THREAD_LOCAL std::uint64_t word = 0;

} // namespace

LOOMP_NOINLINE std::uint64_t *word_of_construct() { return &word; }

void report_completed(std::uint64_t construct) {
    if (construct == 0)
        return;
    // acquire: this thread sees the data that the tool prepared.
    if (const CompletionReport report = completion_report.load(std::memory_order_acquire))
        report(construct);
}

} // namespace loomp::target
