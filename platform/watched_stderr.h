// Keeps messages (diagnostics.h) out of files of the program that get the number of stderr.
#pragma once

#include <cstddef>

namespace loomp::core {

/// Takes a message: a line with its end.
using OtherOutput = void (*)(const char *line, std::size_t size);
/// From now on, messages go to descriptor 2 only while it is the file that it is now. A program may
/// close it, and then a file of the program's own gets the number. All other messages go to
/// `other`; null ends this. Not called concurrently with messages.
void watch_stderr(OtherOutput other);

} // namespace loomp::core
