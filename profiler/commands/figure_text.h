// Formats figures for the commands.
#pragma once

#include <string>

#include "profiler/trace/trace.h"

namespace loomp::cli {

inline double s(double nanoseconds) { return analysis::seconds(nanoseconds); }
inline double s(analysis::Time time) { return s(static_cast<double>(time)); }
inline double us(double nanoseconds) { return nanoseconds / 1e3; }
inline double us(analysis::Time time) { return us(static_cast<double>(time)); }
inline double percent(analysis::Time part, analysis::Time whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace loomp::cli
