#include "platform/diagnostics.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/common.h"
#include "platform/watched_stderr.h"

namespace loomp::core {

namespace {

/// The file that descriptor 2 was at watch_stderr().
struct WatchedFile {
    OtherOutput other = nullptr; ///< null: nothing is watched
    bool was_open = false;
    dev_t device = 0;
    ino_t number = 0;
};
constinit WatchedFile watched;

bool stderr_is_the_same() {
    struct stat now = {};
    return watched.was_open && fstat(STDERR_FILENO, &now) == 0 && now.st_dev == watched.device &&
           now.st_ino == watched.number;
}

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
    if (watched.other != nullptr && !stderr_is_the_same())
        watched.other(line, static_cast<std::size_t>(n));
    else
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

void watch_stderr(OtherOutput other) {
    struct stat file = {};
    watched.was_open = fstat(STDERR_FILENO, &file) == 0;
    watched.device = file.st_dev;
    watched.number = file.st_ino;
    watched.other = other;
}

void assertion_failed(const char *expression, const char *file, int line) {
    fatal("internal error: %s does not hold (%s:%d); please report it", expression, file, line);
}

} // namespace loomp::core
