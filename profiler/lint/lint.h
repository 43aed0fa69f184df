// What of a program costs time for nothing, with an estimate of how much: findings, by kinds of
// tasks and by ranks.
//
// Gains are of the makespan, each as if it were the only change: time of threads that would be
// saved, over the threads of the ranks concerned; what inoutset would gain is simulated
// (profiler/simulation/simulation.h).
#pragma once

#include <string>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

enum class Advice : std::uint8_t {
    redundant_edges, ///< a dependence that others imply, and so does its item
    duplicate_items, ///< a depend clause names a location twice
    inoutset,        ///< writers in a row that nobody reads between, of one kind
    discovery,       ///< threads idle while tasks are created
    late_receives,   ///< messages arrive, their receive is started later, threads are idle
    late_sends,      ///< receives wait for a send that has not started, threads are idle
    fine_tasks,      ///< tasks not much longer than what they cost
    pageable_copies, ///< threads that asked for copies were held up while they were made
    serial_device,   ///< a device does one thing after the other that could be done at once
    short_kernels,   ///< kernels not much longer than it takes to ask for them
};
inline constexpr std::size_t kAdvices = 10;

struct Finding {
    Advice advice;
    Index kind =
        kNone; ///< of the tasks concerned, or of what devices do; discovery: that of most tasks
    Index other = kNone;   ///< redundant_edges: of the predecessors; late ones: of the other side
    Index rank = kNone;    ///< discovery: the rank
    std::size_t count = 0; ///< edges, items, tasks in such a row, tasks, messages, copies, kernels
    Time cause = 0;        ///< nanoseconds: of which the gain is a part; what, by `advice`
    double gain = 0;       ///< nanoseconds of the makespan
};

struct LintOptions {
    double coarse = 20;          ///< overheads that make a task coarse enough
    std::size_t simulations = 8; ///< kinds that may be tried out with inoutset, at most
    std::size_t search = 1000;   ///< tasks looked at for each task with several predecessors
};

/// Most gain first. `trace` should have its accesses.
std::vector<Finding> lint(const Trace &trace, const LintOptions &options = {});

namespace linting {

/// What creating a task and naming one item in its depend clause takes, and taking a task to run.
struct Costs {
    Time creation = 0;
    double item = 0;
    Time start = 0;
};
/// Threads of a rank, on average.
double threads_per_rank(const Trace &trace);

void find_redundant_edges(const Trace &trace, const Costs &costs, const LintOptions &options,
                          std::vector<Finding> &findings);
void find_duplicate_items(const Trace &trace, const Costs &costs, std::vector<Finding> &findings);
void find_inoutsets(const Trace &trace, const LintOptions &options, std::vector<Finding> &findings);
void find_late_messages(const Trace &trace, std::vector<Finding> &findings);
void find_device_faults(const Trace &trace, std::vector<Finding> &findings);

} // namespace linting

} // namespace loomp::analysis
