// Messages to people on stderr: one line, one write, prefixed `loomp: `. Control characters become
// question marks.
#pragma once

namespace loomp::core {

void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// The same with another beginning than `loomp: `.
void warn_as(const char *beginning, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// The same, then abort().
[[noreturn]] void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

} // namespace loomp::core
