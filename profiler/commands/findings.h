// Describes the findings of the analysis (profiler/lint/lint.h) in words.
#pragma once

#include <string>

#include "profiler/lint/lint.h"

namespace loomp::cli {

/// False if the finding gains too little to be shown by default, and is no fault.
bool matters(const analysis::Finding &finding, analysis::Time makespan);
const char *title_of(const analysis::Finding &finding);
/// A kind of tasks, or a rank.
std::string place_of(const analysis::Trace &trace, const analysis::Finding &finding);
/// The problem and its remedy, without the place.
std::string text_of(const analysis::Trace &trace, const analysis::Finding &finding);

} // namespace loomp::cli
