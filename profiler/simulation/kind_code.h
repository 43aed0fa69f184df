// The code of each kind of task in a trace, and a program whose kinds take as long as in another
// trace.
//
// Ranks that share processors find caches that others have used: their code takes longer, even by
// CPU clocks. A run of the same program on few ranks, each with a processor of its own, shows how
// long its tasks take then. Tasks of a kind must have equal sizes in both runs.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profiler/simulation/program.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct KindCode {
    double time = 0; ///< outside MPI calls, by CPU clocks if the trace has them
    std::size_t tasks = 0;

    double mean() const { return tasks == 0 ? 0 : time / static_cast<double>(tasks); }
};

/// One for each kind; the last one is for tasks without a kind.
std::vector<KindCode> code_by_kind(const Trace &trace);

/// The kinds with tasks, by label and source.
using KindNames = std::map<std::pair<std::string, std::string>, std::size_t>;
KindNames names_of_kinds(const Trace &trace, const std::vector<KindCode> &kinds);

/// How many times as long code takes in another trace.
struct CodeFactors {
    std::vector<double> of_kinds; ///< kinds that it lacks have `of_all`; the last one is for tasks
                                  ///< without a kind
    double of_all = 1;            ///< of all kinds that both have
};

/// Nothing if no kind has code in both.
std::optional<CodeFactors> learn_code(const Trace &trace, const Trace &other);

/// The program of `trace`, with the tasks' and threads' code outside MPI calls so many times as
/// long.
Program with_code(const Trace &trace, Program program, const CodeFactors &factors);

} // namespace loomp::analysis
