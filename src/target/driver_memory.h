// Memory of the devices' drivers for allocators of the program (core/memory/driver_memory.h),
// through libomptarget as long as that is there.
#pragma once

namespace loomp::target {

/// From now on allocators can ask here.
void offer_driver_memory();

} // namespace loomp::target
