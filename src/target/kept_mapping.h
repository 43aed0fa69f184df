// The lists of a mapping, copied: a call that is made when its entry point has returned needs them,
// and the program's last no longer than that.
#pragma once

#include <cstddef>
#include <cstring>

#include "target/libomptarget.h"

namespace loomp::target {

/// In bytes, at the alignment of a pointer.
inline std::size_t room_for(const Mapping &mapping) {
    constexpr std::size_t lists = 6;
    static_assert(sizeof(std::int64_t) == sizeof(void *));
    return lists * sizeof(void *) * static_cast<std::size_t>(mapping.count);
}

/// The same mapping with lists in `memory`, which has room for them.
inline Mapping keep_in(void *memory, const Mapping &mapping) {
    const std::size_t size = sizeof(void *) * static_cast<std::size_t>(mapping.count);
    auto *next = static_cast<char *>(memory);
    const auto keep = [&](auto *list) {
        if (list == nullptr || size == 0)
            return list;
        auto *kept = reinterpret_cast<decltype(list)>(next);
        std::memcpy(next, list, size);
        next += size;
        return kept;
    };
    return {mapping.count,       keep(mapping.bases), keep(mapping.begins), keep(mapping.sizes),
            keep(mapping.types), keep(mapping.names), keep(mapping.mappers)};
}

} // namespace loomp::target
