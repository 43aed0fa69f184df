// The hash of the table of dependences. Addresses of tiles differ by multiples of some stride, in
// few bits, and the hash's high bits index the table.
//
// One multiplication is not enough. If the ratio of a stride to 2^64 / constant is near an integer,
// its multiples cluster. If the constant is the golden ratio, every Fibonacci number is such a
// stride, such as 2,584. The hash folds the high half down and multiplies again, which leaves no
// such stride: tests/unit.
#pragma once

#include <cstdint>

#include "platform/common.h"

namespace loomp::core {

LOOMP_INLINE std::uint64_t hash_address(const void *address) {
    std::uint64_t bits = reinterpret_cast<std::uintptr_t>(address) * 0x9E3779B97F4A7C15ull;
    bits ^= bits >> 32;
    return bits * 0xD6E8FEB86659FD93ull;
}

} // namespace loomp::core
