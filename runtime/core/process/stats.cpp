#include "runtime/core/process/stats.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <unistd.h>

#include "platform/atomic.h"
#include "runtime/core/environment/task_settings.h"
#include "runtime/core/memory/task_budget.h"
#include "runtime/core/persistent/persistent.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/suspension/stack.h"

namespace loomp::core {

DiscoveryStats sum_of_stats() {
    DiscoveryStats sum;
    for (unsigned i = 0; i < worker_count(); ++i) {
        const DiscoveryStats &one = Worker::at(i).discovery;
        sum.tasks += one.tasks;
        sum.edges_made += one.edges_made;
        sum.edges_pruned += one.edges_pruned;
        sum.edges_merged += one.edges_merged;
        sum.addresses_merged += one.addresses_merged;
        sum.redirects += one.redirects;
        sum.steals += one.steals;
        sum.parks += one.parks;
        sum.suspensions += one.suspensions;
        sum.throttled += one.throttled;
        sum.iterations_reexecuted += one.iterations_reexecuted;
        sum.iterations_replayed += one.iterations_replayed;
        sum.graphs_left += one.graphs_left;
        sum.stretches += one.stretches;
        sum.graphs_found += one.graphs_found;
        if (one.linked != 0) {
            sum.first_creation = sum.linked == 0 ? one.first_creation
                                                 : std::min(sum.first_creation, one.first_creation);
            sum.last_creation = std::max(sum.last_creation, one.last_creation);
        }
        sum.linked += one.linked;
        sum.linking += one.linking;
    }
    return sum;
}

namespace {

Atomic<int> own_rank{-1}; ///< negative: unknown

void add_line(std::string &text, const char *name, const char *value, const char *remark) {
    char line[160];
    std::snprintf(line, sizeof line, "  %-22s %14s%s%s\n", name, value, *remark != 0 ? "  " : "",
                  remark);
    text += line;
}

void add_count(std::string &text, const char *name, std::uint64_t value, const char *remark) {
    char number[32];
    std::snprintf(number, sizeof number, "%" PRIu64, value);
    add_line(text, name, number, remark);
}

void add_ms(std::string &text, const char *name, std::uint64_t ns, const char *remark) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3f ms", static_cast<double>(ns) / 1e6);
    add_line(text, name, number, remark);
}

void add_pollers(std::string &text) {
    PollerStats stats;
    const char *name = nullptr;
    for (int i = 0; used_poller(i, name, stats); ++i) {
        add_line(text, "poller", name, "");
        add_count(text, "  polls", stats.polls, "");
        add_count(text, "    by the helper", stats.helper_polls, "all threads were busy");
        add_count(text, "    hits", stats.hits, "something had happened");
        add_count(text, "  completions", stats.completions, "");
        add_ms(text, "  worst gap", static_cast<std::uint64_t>(stats.worst_gap),
               "between polls with something pending");
    }
}

/// Returns why LOOMP_PERSISTENT=auto has kept no graph (persistent_auto.cpp).
std::string why_nothing_repeats(const DiscoveryStats &sum) {
    if (sum.linked == 0)
        return "no task with dependences was queued";
    if (sum.graphs_found != 0)
        return "iterations were alike, but none came after those";
    if (met_transparent)
        return "iterations of transparent tasks, or with them, are not kept";
    if (sum.stretches < 2)
        return "nothing was repeated; iterations up to a taskwait or taskgroup: " +
               std::to_string(sum.stretches);
    return "of " + std::to_string(sum.stretches) + " iterations up to a wait, no two were alike";
}

} // namespace

void set_rank(int rank) { own_rank.store(rank, std::memory_order_relaxed); }

std::string format_stats() {
    const DiscoveryStats sum = sum_of_stats();
    std::uint64_t blocks = 0;
    for (unsigned i = 0; i < worker_count(); ++i)
        blocks += Worker::at(i).task_blocks.blocks_made();
    const int rank = own_rank.load(std::memory_order_relaxed);
    std::string text = rank >= 0
                           ? "loomp: statistics of rank " + std::to_string(rank) + "\n"
                           : "loomp: statistics of process " + std::to_string(getpid()) + "\n";
    add_count(text, "tasks", sum.tasks, "");
    add_count(text, "  with dependences", sum.linked, "not run where they were created");
    add_count(text, "edges made", sum.edges_made, "");
    add_count(text, "edges pruned", sum.edges_pruned, "the predecessor had completed");
    add_count(text, "edges merged", sum.edges_merged, "the edge existed");
    add_count(text, "addresses merged", sum.addresses_merged, "named twice by one task");
    add_count(text, "redirect nodes", sum.redirects, "one for a set of predecessors");
    char each[64] = "";
    if (sum.linked != 0)
        std::snprintf(each, sizeof each, "in the runtime; %.0f ns a task",
                      static_cast<double>(sum.linking) / static_cast<double>(sum.linked));
    add_ms(text, "discovery", sum.linking, each);
    add_ms(text, "  first to last", sum.last_creation - sum.first_creation,
           "creation of a task with dependences");
    add_count(text, "steals", sum.steals, "");
    add_count(text, "parks", sum.parks, "times a thread without work went to sleep");
    add_count(text, "suspensions", sum.suspensions, "");
    add_count(text, "creators throttled", sum.throttled, "by LOOMP_TASK_MEMORY, LOOMP_MAX_TASKS");
    if (sum.iterations_reexecuted + sum.iterations_replayed + sum.graphs_left != 0) {
        add_count(text, "persistent iterations",
                  sum.iterations_reexecuted + sum.iterations_replayed,
                  "of persistent graphs, with kept tasks");
        add_count(text, "  replayed", sum.iterations_replayed,
                  "without running the creator's code");
        add_count(text, "graphs left", sum.graphs_left, "by iterations that differed");
    } else if (task_settings().persistent) {
        add_line(text, "persistent iterations", "0", why_nothing_repeats(sum).c_str());
    }
    add_count(text, "stacks", stack_count(), "");
    add_count(text, "peak live tasks", blocks, "at most: the sum of the threads' peaks");
    char size[32];
    std::snprintf(size, sizeof size, "%.1f MiB",
                  static_cast<double>(reserved_for_tasks()) / (1 << 20));
    add_line(text, "peak task memory", size, "");
    add_pollers(text);
    return text;
}

void print_stats() {
    const std::string text = format_stats();
    (void)!write(STDERR_FILENO, text.data(), text.size());
}

} // namespace loomp::core
