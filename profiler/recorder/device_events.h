// Records device events (target constructs, their kernels and copies) that libomptarget reports.
#pragma once

#include "loomp/omp-tools.h"

namespace loomp::record {

/// Registers the callbacks when the runtime exists. Some runtimes do not report when work on a
/// device has completed (loomp's does). The reader then takes the end of the construct or of its
/// task.
void listen_to_devices(ompt_set_callback_t set, ompt_function_lookup_t lookup);

} // namespace loomp::record
