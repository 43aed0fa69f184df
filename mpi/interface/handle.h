// Handles of MPI objects as records name them.
#pragma once

#include <cstdint>
#include <type_traits>

namespace loomp::record {

using Handle = std::uint64_t;

/// Returns the handle of a request or a message: a pointer in Open MPI and in the standard ABI, a
/// number in MPICH.
template <class T> Handle handle_of(T object) {
    if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<std::uintptr_t>(object);
    else
        return static_cast<std::uint32_t>(object);
}

} // namespace loomp::record
