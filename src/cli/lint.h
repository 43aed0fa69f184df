// `loomp lint`: what in a trace's program costs time for nothing.
#pragma once

#include <string>

namespace loomp::cli {

struct LintOptions {
    std::string folder; ///< of `loomp trace`, or an archive's .otf2 file
    bool all = false;   ///< also what hardly matters
};

int lint(const LintOptions &options);

} // namespace loomp::cli
