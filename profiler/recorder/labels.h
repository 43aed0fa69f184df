// Numbers for the labels that the program gives its tasks, and for the names of its regions
// (include/loomp/record.h).
#pragma once

#include <cstdint>
#include <mutex>

namespace loomp::record {

/// The label of the next task that the calling thread creates; 0: none. The call consumes it.
std::uint32_t take_label();
/// The number of a text in the file of labels; 0: there are too many.
std::uint32_t number_of_label(const char *text);
/// A forking thread locks this.
std::mutex &lock_of_labels();
/// The only thread of a forked child calls this; the child gets its own file of labels, where the
/// label of its next task is the first one.
void begin_childs_labels();

} // namespace loomp::record
