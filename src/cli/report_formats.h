// `loomp report` for programs: docs/report-formats.md says what each name means.
//
// Names are stable: later versions add some, and change or remove none while `version` is the same.
// A name's end is its unit (`_s`, `_us`); one without is a number or a share of 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/metrics/tables.h"

namespace loomp::cli {

/// Prints one object to stdout. `kinds`: how many rows of limited tables at most; nothing: all.
void print_json(const std::vector<std::string> &problems,
                const std::vector<analysis::Table> &tables, std::optional<std::size_t> kinds);
/// Prints a line for each of these figures, which says which table and row it is of.
void print_csv(const std::vector<analysis::Table> &tables, std::optional<std::size_t> kinds);

} // namespace loomp::cli
