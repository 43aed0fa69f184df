// Routines of the API that front ends also call under other names or with other arguments.
#pragma once

#include <cstddef>

#include "platform/export.h"
#include "runtime/core/memory/allocator.h"

namespace loomp::abi {

/// Returns a device's number; resolves omp_default_device.
int number_of(int device);
/// Returns whether `device` is one of the host's numbers.
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

LOOMP_EXPORT const char *omp_get_interop_str(const void *interop, int property, int *result);
LOOMP_EXPORT const char *omp_get_interop_name(const void *interop, int property);
LOOMP_EXPORT const char *omp_get_interop_type_desc(const void *interop, int property);
LOOMP_EXPORT const char *omp_get_interop_rc_desc(const void *interop, int result);

LOOMP_EXPORT loomp::core::AllocatorHandle
omp_init_allocator(std::uintptr_t space, int count, const loomp::core::AllocatorTrait *traits);
LOOMP_EXPORT void omp_destroy_allocator(loomp::core::AllocatorHandle handle);
LOOMP_EXPORT void omp_set_default_allocator(loomp::core::AllocatorHandle handle);
LOOMP_EXPORT loomp::core::AllocatorHandle omp_get_default_allocator();
LOOMP_EXPORT void *omp_calloc(std::size_t count, std::size_t size,
                              loomp::core::AllocatorHandle handle);
LOOMP_EXPORT void *omp_realloc(void *block, std::size_t size, loomp::core::AllocatorHandle handle,
                               loomp::core::AllocatorHandle free_handle);
