// Writes a trace as one HTML file, which opens from disk and needs no other file. It is the page of
// profiler/view/web with the trace's data: a JSON object for small data, and columns (columns.h).
// Thread safety: any number of threads may write pages.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// A finding (profiler/lint/lint.h) in words for the page.
struct Remark {
    std::string title;
    std::string place; ///< a place in the source, a rank or a thread; may be empty
    double gain = 0;   ///< estimated gain in seconds; 0: unknown
    std::string text;
};

struct PageOptions {
    std::string name;                                 ///< the trace's name, in the page's title
    std::optional<std::vector<Remark>> findings = {}; ///< nothing: not searched
    std::vector<std::string> unfinished =
        {}; ///< lines about a run that was cut off; empty: it ended
};

/// Throws std::runtime_error.
void write_page(const Trace &trace, const PageOptions &options, std::ostream &out);

/// The page without a trace: {{title}}, {{summary}} and {{columns}} are its placeholders.
extern const char *const kPage;

} // namespace loomp::analysis
