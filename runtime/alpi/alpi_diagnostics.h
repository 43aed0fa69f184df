// The library's messages: one line each on stderr, in the format of loomp's messages.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace loomp::alpi {

[[gnu::format(printf, 1, 2)]] inline void warn(const char *format, ...) {
    char text[256];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    std::fprintf(stderr, "loomp: %s\n", text);
}

[[noreturn]] inline void fatal(const char *text, const char *what) {
    warn("%s%s", text, what);
    std::abort();
}

} // namespace loomp::alpi
