// Memory of the host for copies that hold up nobody: pinned allocators of the program take it from
// the devices' driver, through libomptarget, as long as that is there.
#pragma once

namespace loomp::target {

/// From now on pinned allocators ask here.
void offer_host_memory();

} // namespace loomp::target
