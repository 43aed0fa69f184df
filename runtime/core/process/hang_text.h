// Describes what a hanging program waits for in OpenMP: events that nobody fulfils, and locks.
#pragma once

#include <string>

namespace loomp::core {

// They are called while no thread of OpenMP works, by one thread at a time. A text has several
// lines, the last one without an end, or is empty.

/// One line for each event that nobody has fulfilled although its task has ended.
std::string text_of_lost_events();
/// One line, if tasks wait for locks.
std::string text_of_held_locks();

} // namespace loomp::core
