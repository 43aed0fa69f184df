// Computes a loop's number of iterations from the bounds that compilers pass.
#pragma once

#include <cstdint>

#include "platform/common.h"

namespace loomp::abi {

/// Counts from `first` to `last`, both included. Unless `up`, the step is negative, modulo 2^64.
template <class T>
LOOMP_INLINE std::uint64_t count_to(T first, T last, std::uint64_t step, bool up) {
    if (step == 0 || (up ? last < first : first < last))
        return 0;
    const auto distance = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    return (up ? distance / step : -distance / -step) + 1;
}

/// Counts from `first` to the last one before `end`.
template <class T>
LOOMP_INLINE std::uint64_t count_before(T first, T end, std::uint64_t step, bool up) {
    if (up ? end <= first : first <= end)
        return 0;
    return count_to(first, static_cast<T>(up ? end - 1 : end + 1), step, up);
}

} // namespace loomp::abi
