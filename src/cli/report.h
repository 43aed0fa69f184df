// `loomp report`: what a trace says about where the time went, as tables,
// and for programs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace loomp::cli {

inline constexpr std::size_t kKindsInText = 20;

struct ReportOptions {
    std::string folder;               ///< of `loomp trace`, or an archive's .otf2 file
    bool threads = false;             ///< a line for each thread
    bool json = false;                ///< in place of text, as report_formats.h has it
    bool csv = false;                 ///< the same
    std::optional<std::size_t> kinds; ///< how many, at most; default: kKindsInText, or all
    std::optional<double> from;       ///< seconds from the start of the makespan
    std::optional<double> to;
};

int report(const ReportOptions &options);

} // namespace loomp::cli
