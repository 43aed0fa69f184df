// A trace as one HTML file, which opens from disk and asks for nothing else: the page of
// profiler/view/web with the trace in it. Its data are a JSON object, for what is small, and
// columns (columns.h). Thread safety: any number of threads may write pages.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// What a finding (profiler/lint/lint.h) is called in words, as the page shows it.
struct Remark {
    std::string title;
    std::string place; ///< of the source, or a rank or thread; may be empty
    double gain = 0;   ///< seconds that it would save, by estimate; 0: not known
    std::string text;
};

struct PageOptions {
    std::string name;                            ///< of the trace, in the page's title
    std::optional<std::vector<Remark>> findings; ///< nothing: nobody has looked for any
};

/// Throws std::runtime_error.
void write_page(const Trace &trace, const PageOptions &options, std::ostream &out);

/// The page without a trace: {{title}}, {{summary}} and {{columns}} stand where those go.
extern const char *const kPage;

} // namespace loomp::analysis
