// What the analysis finds (profiler/lint/lint.h), in words.
#pragma once

#include <string>

#include "profiler/lint/lint.h"

namespace loomp::cli {

/// Whether it is worth anybody's time.
bool matters(const analysis::Finding &of, analysis::Time makespan);
const char *title_of(const analysis::Finding &of);
/// A kind of tasks, or a rank.
std::string place_of(const analysis::Trace &trace, const analysis::Finding &of);
/// What it is, and what to do about it; without the place.
std::string text_of(const analysis::Trace &trace, const analysis::Finding &of);

} // namespace loomp::cli
