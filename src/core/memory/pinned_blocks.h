// Small blocks of pinned memory. They share pages, as the system pins whole ones, and lets a user
// pin few (RLIMIT_MEMLOCK).
//
// Thread safety: from any thread.
#pragma once

#include <cstddef>

namespace loomp::core {

constexpr std::size_t kLargestPinnedBlock = 2048;

/// Up to kLargestPinnedBlock bytes at a multiple of 64, with any content; null: no more can be
/// pinned.
void *take_pinned_block(std::size_t size);
void give_pinned_block_back(void *block, std::size_t size);

} // namespace loomp::core
