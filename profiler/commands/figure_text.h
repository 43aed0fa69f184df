// Formats figures for the commands.
#pragma once

#include <string>

#include "profiler/trace/clean_text.h"
#include "profiler/trace/trace.h"

namespace loomp::cli {

inline double s(double nanoseconds) { return analysis::seconds(nanoseconds); }
inline double s(analysis::Time time) { return s(static_cast<double>(time)); }
inline double us(double nanoseconds) { return nanoseconds / 1e3; }
inline double us(analysis::Time time) { return us(static_cast<double>(time)); }
inline double percent(analysis::Time part, analysis::Time whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// A name in a line of text: only its beginning if it is very long. JSON and CSV have all of it.
inline std::string in_line(const std::string &name) {
    constexpr std::size_t kLongest = 500; // bytes
    return analysis::shortened(name, kLongest);
}

/// True for a place without a line, OBJECT+0xOFFSET or FUNCTION+0xOFFSET.
inline bool lacks_line(const std::string &place) { return place.find("+0x") != std::string::npos; }
/// Follows lines with such places.
inline constexpr const char *kNoLines =
    "(NAME+0xOFFSET: no line is known there; compile with -g, or install debug symbols, such as a "
    "-dbgsym package of Debian)\n";

} // namespace loomp::cli
