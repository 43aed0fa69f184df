// What happens on devices: target constructs, their kernels and copies, told by libomptarget.
#pragma once

#include "loomp/omp-tools.h"

namespace loomp::record {

/// When the runtime is there. Of a runtime that does not tell when work on a device has completed
/// (loomp's does), the reader takes the end of the construct or of its task for that.
void listen_to_devices(ompt_set_callback_t set, ompt_function_lookup_t lookup);

} // namespace loomp::record
