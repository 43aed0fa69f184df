// Addresses that are the same in each run. Tables of the core hash addresses and locks are sorted
// by them, so neither the C library's version nor the environment may choose them. A build with a
// sanitizer has the sanitizer's memory.
#pragma once

#include <cstddef>

namespace loomp::simulated {

/// The address for the next mapping of so many bytes; null: the system chooses.
void *next_place(std::size_t size);

} // namespace loomp::simulated
