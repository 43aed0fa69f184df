// The memory of the devices, and pinned memory of the host.
#pragma once

#include "driver.h"

namespace fake_cuda {

enum class Memory { device, pinned };

/// Returns null if no memory is left.
void *allocate(Memory kind, std::size_t size);
Result give_back(Memory kind, void *block);
/// Pins and unpins memory of the program.
void pin(void *from, std::size_t size);
Result unpin(void *from);

/// True if all of it lies in one block.
bool is_pinned(const void *from, std::size_t size);
bool is_on_device(const void *from, std::size_t size);

} // namespace fake_cuda
