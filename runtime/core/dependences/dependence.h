// The contents of a depend clause, and the name of a task that others depend on.
#pragma once

#include <cstdint>

namespace loomp::core {

struct Task;

enum class Access : std::uint8_t {
    none = 0,
    in = 1,
    inoutset = 2,
    mutexinoutset = 3,
    inout = 4, ///< out and inout order alike; the strongest
};

/// One item of a depend clause. `address` null with `all_memory`: omp_all_memory.
struct Dependence {
    const void *address;
    Access access;
    bool all_memory;
};

/// A task as the map remembers it.
struct TaskRef {
    Task *task;
    std::uint64_t serial;
};

} // namespace loomp::core
