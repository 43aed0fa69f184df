// Finds faults and avoidable costs of a program, by kinds of tasks and by ranks, and estimates the
// gain of each cost.
//
// A gain is a part of the makespan (without tasks: of the run) and assumes no other change. It is
// the saved time of threads, divided by the threads of the ranks concerned. A simulation gives the
// gain of inoutset (profiler/simulation/simulation.h).
#pragma once

#include <string>
#include <vector>

#include "profiler/simulation/program.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

enum class Advice : std::uint8_t {
    redundant_edges,    ///< other dependences imply this one, so its item is unnecessary
    duplicate_items,    ///< a depend clause names a location twice
    inoutset,           ///< writers of one kind in a row, without a reader between them
    discovery,          ///< threads idle while tasks are created
    late_receives,      ///< a receive is started after its message arrived, while threads are idle
    late_sends,         ///< receives wait for a send that has not started, threads are idle
    fine_tasks,         ///< tasks not much longer than their overhead
    pageable_copies,    ///< threads were blocked while the copies that they asked for were made
    serial_device,      ///< a device does things in turn that could overlap
    short_kernels,      ///< kernels not much longer than the request for them
    imbalance,          ///< the threads of a loop or region have different amounts of work
    fine_regions,       ///< regions not much longer than their start and end
    late_threads,       ///< the start and end take longer than threads on processors need
    serial_code,        ///< code outside regions, while the other threads wait
    unordered_sends,    ///< tasks without order send to one peer with one tag and communicator
    unordered_receives, ///< tasks without order receive from one
};
inline constexpr std::size_t kAdvices = 16;

/// True if the program may hang or give wrong results: the finding is no matter of time.
constexpr bool is_fault(Advice advice) {
    return advice == Advice::unordered_sends || advice == Advice::unordered_receives;
}

struct Finding {
    Advice advice;
    Index kind = kNone;  ///< kind of the tasks or device work; discovery: kind of most tasks
    Index other = kNone; ///< redundant_edges: the predecessors' kind; late ones: the other side's;
                         ///< unordered ones: the second task's
    Index rank = kNone;  ///< discovery, serial_code: the rank
    std::size_t count = 0; ///< edges, items, tasks in such a row, tasks, messages, copies, kernels,
                           ///< constructs; serial_code: threads that wait; unordered ones: pairs
    Time cause = 0;        ///< nanoseconds that contain the gain; `advice` says which
    bool computes = false; ///< fine_tasks, discovery: `cause` has the creator's own code, too
    double gain = 0;       ///< nanoseconds of the makespan or run; faults: 0
    Index request = kNone; ///< unordered ones: an example
};

struct LintOptions {
    double coarse = 20; ///< overheads that make a task coarse enough
    /// Threads on processors start a region and leave its barriers within this time: it takes
    /// microseconds, to some hundred with many threads.
    Time longest_start = 1'000'000;
    std::size_t simulations = 8; ///< limit of the kinds that are tried with inoutset
    std::size_t search = 1000;   ///< limit of tasks visited for each task with several predecessors
};

/// Faults first, then by gain, the greatest first. `trace` should have its accesses.
std::vector<Finding> lint(const Trace &trace, const LintOptions &options = {});

namespace linting {

/// The times to create a task, to handle one item of its depend clause, and to start a task.
struct Costs {
    Time creation = 0;
    bool creation_at_most = false; ///< it is a limit; the trace does not show the cost
    double item = 0;
    Time start = 0;
};
/// The average count of a rank's threads.
double threads_per_rank(const Trace &trace);

void find_redundant_edges(const Trace &trace, const Costs &costs, const LintOptions &options,
                          std::vector<Finding> &findings);
void find_duplicate_items(const Trace &trace, const Costs &costs, std::vector<Finding> &findings);
/// `program` is the trace's; its dependences are changed.
void find_inoutsets(const Trace &trace, Program &program, const LintOptions &options,
                    std::vector<Finding> &findings);
void find_unordered_messages(const Trace &trace, std::vector<Finding> &findings);
void find_late_messages(const Trace &trace, const Program &program, std::vector<Finding> &findings);
void find_device_faults(const Trace &trace, std::vector<Finding> &findings);
/// Finds nothing in a program with tasks: the other findings concern these.
void find_region_faults(const Trace &trace, const LintOptions &options,
                        std::vector<Finding> &findings);

} // namespace linting

} // namespace loomp::analysis
