// Memory of the simulated machine: the system's, at addresses that are the same in each run.
// Address space for slabs of stacks can be refused. A thread's last stack is small; without it the
// process ends with a message.
#pragma once

#include <cstddef>
#include <sys/mman.h>

#include "tests/simulated/machine.h"
#include "tests/simulated/memory.h"

namespace loomp::simulated {

inline void *map_next(std::size_t size, int access, int flags, int file, off_t offset) {
    return mmap(next_place(size), size, access, flags, file, offset);
}
inline void *move_next(void *pages, std::size_t size, std::size_t new_size, int flags) {
    void *place = next_place(new_size);
    return place == nullptr ? mremap(pages, size, new_size, flags)
                            : mremap(pages, size, new_size, flags | MREMAP_FIXED, place);
}

} // namespace loomp::simulated

#define mmap(at, ...) ::loomp::simulated::map_next(__VA_ARGS__)
#define mremap ::loomp::simulated::move_next
#define map_stacks map_stacks_of_the_system
#include "../../../../platform/pages.h"
#undef map_stacks
#undef mremap
#undef mmap

namespace loomp::core {

inline void *map_stacks(std::size_t size) {
    return size > (std::size_t{1} << 20) && simulated::refuses_stacks()
               ? nullptr
               : map_stacks_of_the_system(size);
}

} // namespace loomp::core
