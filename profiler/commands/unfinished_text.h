// Describes the rest of a run that was killed (profiler/metrics/unfinished.h), in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/metrics/unfinished.h"

namespace loomp::cli {

/// Lines of text: the first says when the run was cut off, the others what had not finished.
std::vector<std::string> lines_of(const analysis::Trace &trace,
                                  const analysis::Unfinished &unfinished);

/// Prints the lines and an empty line; nothing if the run ended.
void print_unfinished(const analysis::Trace &trace,
                      const std::optional<analysis::Unfinished> &unfinished);

} // namespace loomp::cli
