// The settings of stacks, of memory for tasks, and of the program's allocators (settings.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loomp::core {

struct MemorySettings {
    std::size_t stack_size = 0;  ///< bytes
    int max_stacks = 0;          ///< limit of the pool of stacks; 0: as many as memory allows
    std::size_t task_memory = 0; ///< bytes; 0: a share of what the machine has
    /// omp_default_mem_alloc; with traits, the predefined allocator of the memory space.
    std::uintptr_t default_allocator = 1;
    std::string allocator;    ///< OMP_ALLOCATOR as given
    int allocator_space = -1; ///< omp_memspace_handle_t when a memory space was given; -1: not
    /// omp_alloctrait_key_t and value, for omp_init_allocator().
    std::vector<std::pair<int, std::uintptr_t>> allocator_traits;
};

const MemorySettings &memory_settings();

} // namespace loomp::core
