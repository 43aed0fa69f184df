#include "platform/diagnostics.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <unistd.h>

#include "platform/common.h"

namespace loomp::core {

namespace {

void write_line(const char *beginning, const char *format, va_list arguments) {
    char line[1024];
    const int prefix = std::snprintf(line, sizeof line / 2, "%s", beginning);
    const int room = static_cast<int>(sizeof line) - prefix - 1;
    int n = std::vsnprintf(line + prefix, static_cast<std::size_t>(room), format, arguments);
    n = prefix + std::clamp(n, 0, room - 1);
    // Texts of the environment or the program may contain line ends or terminal escape sequences.
    for (char &c : std::span(line, static_cast<std::size_t>(n)))
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            c = '?';
    line[n++] = '\n';
    (void)!write(STDERR_FILENO, line, static_cast<std::size_t>(n));
}

} // namespace

void warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line("loomp: ", format, arguments);
    va_end(arguments);
}

void warn_as(const char *beginning, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(beginning, format, arguments);
    va_end(arguments);
}

void fatal(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line("loomp: ", format, arguments);
    va_end(arguments);
    std::abort();
}

void *or_fatal(void *memory, const char *format, ...) {
    if (LOOMP_LIKELY(memory != nullptr))
        return memory;
    va_list arguments;
    va_start(arguments, format);
    write_line("loomp: ", format, arguments);
    std::abort();
}

void assertion_failed(const char *expression, const char *file, int line) {
    fatal("internal error: %s does not hold (%s:%d); please report it", expression, file, line);
}

} // namespace loomp::core
