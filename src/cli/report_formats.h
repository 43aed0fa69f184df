// `loomp report` for programs: docs/report-formats.md says what each name means.
//
// Names are stable: later versions add some, and change or remove none while `version` is the same.
// A name's end is its unit (`_s`, `_us`); one without is a number or a share of 1.
#pragma once

#include <cstddef>
#include <optional>

#include "cli/report_figures.h"

namespace loomp::cli {

/// One object to stdout. `kinds`: how many rows of kinds and of constructs at most; nothing: all.
void print_json(const analysis::Trace &trace, const Figures &figures,
                std::optional<std::size_t> kinds);
/// The same figures, a line each, which says which table and row it is of.
void print_csv(const analysis::Trace &trace, const Figures &figures,
               std::optional<std::size_t> kinds);

} // namespace loomp::cli
