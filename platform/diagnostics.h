// Messages to people on stderr: each is one line in one write, prefixed `loomp: `. Control
// characters become question marks.
#pragma once

#include "platform/atomic.h"

namespace loomp::core {

void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Warns with another prefix than `loomp: `.
void warn_as(const char *beginning, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Warns, then calls abort().
[[noreturn]] void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Returns `memory`, but ends the process with the message if `memory` is null.
void *or_fatal(void *memory, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Warns only when this line is executed for the first time, because a program has many tasks.
#define LOOMP_WARN_ONCE(...)                                                                       \
    do {                                                                                           \
        static ::loomp::Atomic<bool> has_warned{false};                                            \
        if (!has_warned.exchange(true, std::memory_order_relaxed))                                 \
            ::loomp::core::warn(__VA_ARGS__);                                                      \
    } while (false)

} // namespace loomp::core
