// The hash of the table of dependences. Addresses of tiles differ by multiples of some stride, in
// few bits, and the table is indexed by the hash's high bits.
//
// One multiplication is not enough: multiples of a stride whose ratio to 2^64 / constant is near an
// integer crowd together (with the golden ratio every Fibonacci number is such a stride, 2,584
// bytes for one). Folding the high half down and multiplying again leaves none: tests/unit.
#pragma once

#include <cstdint>

#include "core/base/common.h"
#include "core/base/research.h"

namespace loomp::core {

/// The address' low bits, but for those that alignment makes 0, as the high ones.
LOOMP_INLINE std::uint64_t low_bits_first(const void *address) {
    std::uint64_t bits = reinterpret_cast<std::uintptr_t>(address) >> 3;
    bits = (bits >> 1 & 0x5555555555555555ull) | (bits & 0x5555555555555555ull) << 1;
    bits = (bits >> 2 & 0x3333333333333333ull) | (bits & 0x3333333333333333ull) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0full) | (bits & 0x0f0f0f0f0f0f0f0full) << 4;
    return __builtin_bswap64(bits);
}

LOOMP_INLINE std::uint64_t hash_address(const void *address) {
    std::uint64_t bits = reinterpret_cast<std::uintptr_t>(address) * 0x9E3779B97F4A7C15ull;
    if constexpr (kResearchBuild)
        if (research.hash != ResearchHash::folded)
            return research.hash == ResearchHash::golden ? bits : low_bits_first(address);
    bits ^= bits >> 32;
    return bits * 0xD6E8FEB86659FD93ull;
}

} // namespace loomp::core
