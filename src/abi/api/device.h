// Routines of api/device.cpp that front ends call under other names.
#pragma once

#include <cstddef>

#include "abi/export.h"

namespace loomp::abi {

/// A device's number where omp_default_device may have been given.
int number_of(int device);
/// Whether it is the host's, by any of its numbers.
bool names_host(int device);

} // namespace loomp::abi

LOOMP_EXPORT int omp_target_memcpy(void *to, const void *from, std::size_t length,
                                   std::size_t to_offset, std::size_t from_offset, int to_device,
                                   int from_device);
LOOMP_EXPORT int
omp_target_memcpy_rect(void *to, const void *from, std::size_t element, int dimensions,
                       const std::size_t *volume, const std::size_t *to_offsets,
                       const std::size_t *from_offsets, const std::size_t *to_dimensions,
                       const std::size_t *from_dimensions, int to_device, int from_device);
LOOMP_EXPORT int omp_pause_resource_all(int kind);
LOOMP_EXPORT int omp_get_initial_device();
