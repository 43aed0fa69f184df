// Labels that the program gives its tasks, and names of its regions (include/loomp/record.h), by
// number.
#pragma once

#include <cstdint>
#include <mutex>

namespace loomp::record {

/// That of the next task that the calling thread creates; 0: none. Used up by the call.
std::uint32_t take_label();
/// Of a text, as the file of labels has it; 0: there are too many.
std::uint32_t number_of_label(const char *text);
/// For who forks.
std::mutex &lock_of_labels();
/// In a forked child, by its only thread, which has a file of labels of its own.
void forget_labels();

} // namespace loomp::record
