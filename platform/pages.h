// The system's page: what mappings, guards and advice about memory are multiples of. 4 KiB on most
// machines, 16 or 64 KiB on some with aarch64.
#pragma once

#include <cstddef>
#include <unistd.h>

namespace loomp::core {

/// A power of two. Asked of the system once: signal handlers may call it after that.
inline std::size_t page_size() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

} // namespace loomp::core
