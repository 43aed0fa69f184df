// Memory in pages of its own, for allocators that ask where their memory lies (partition) or that
// it stay in RAM (pinned): neither can be said of a part of a page that others use too.
#pragma once

#include <cstddef>

namespace loomp::core {

/// The partition trait; the values of omp_alloctrait_value_t.
enum class Partition : int { environment = 15, nearest = 16, blocked = 17, interleaved = 18 };

/// Zeroed pages, on the NUMA nodes that `partition` says as far as the system follows; null if
/// there are no more, or they cannot be pinned (RLIMIT_MEMLOCK).
void *map_pages(std::size_t size, Partition partition, bool pinned);
void unmap_pages(void *pages, std::size_t size);

/// Whether placement is worth pages of its own: false with one NUMA node.
bool has_several_nodes();

} // namespace loomp::core
