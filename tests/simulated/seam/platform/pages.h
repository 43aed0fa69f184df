// Memory of the simulated machine: the system's, but address space for slabs of stacks can be
// refused. A thread's last stack is small; without it the process ends with a message.
#pragma once

#define map_stacks map_stacks_of_the_system
#include "../../../../platform/pages.h"
#undef map_stacks

#include "tests/simulated/machine.h"

namespace loomp::core {

inline void *map_stacks(std::size_t size) {
    return size > (std::size_t{1} << 20) && simulated::refuses_stacks()
               ? nullptr
               : map_stacks_of_the_system(size);
}

} // namespace loomp::core
