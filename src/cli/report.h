// `loomp report`: what a trace says about where the time went, as tables.
#pragma once

#include <optional>
#include <string>

namespace loomp::cli {

struct ReportOptions {
    std::string folder;         ///< of `loomp trace`, or an archive's .otf2 file
    bool threads = false;       ///< a line for each thread
    std::size_t kinds = 20;     ///< how many, at most
    std::optional<double> from; ///< seconds from the start of the makespan
    std::optional<double> to;
};

int report(const ReportOptions &options);

} // namespace loomp::cli
