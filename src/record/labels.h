// Labels that the program gives its tasks (include/loomp/record.h), by number.
#pragma once

#include <cstdint>

namespace loomp::record {

/// That of the next task that the calling thread creates; 0: none. Used up by the call.
std::uint32_t take_label();

} // namespace loomp::record
