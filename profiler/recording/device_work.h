// Reconstructs the work of a process' devices from libomptarget's reports.
//
// libomptarget reports when it asks the driver for a kernel or a copy and when that call returns.
// The runtime reports when all work of a construct is done. Nothing reports when a device begins
// one thing and ends another. Therefore:
//   - a copy whose call took as long as 64 GB/s would is done by that call: it was pageable;
//   - a kernel whose call took 0.1 ms ran in that call, because some plugins compute at once;
//   - any other kernel has the rest of its construct's time, and later copies have none;
//   - copies without a kernel share that time in proportion to their bytes.
// The work of a construct is thus in sequence, like on a device's stream.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/recording/recording.h"

namespace loomp::analysis {

struct DeviceRecord {
    Time begin; ///< in the process' clock
    Time end;
    Time held;             ///< how long the call of the requesting thread took
    std::uint64_t bytes;   ///< for a copy
    std::uint64_t task;    ///< task of its construct; 0: unknown
    std::uint64_t address; ///< address of the construct; 0: unknown
    std::uint32_t device;
    std::uint32_t row; ///< row of the device: overlapping work is in several rows, from 0 on
    record::DeviceWork what;
};

/// Sorted by device, row and time.
std::vector<DeviceRecord> device_work(const RecordedProcess &process);

} // namespace loomp::analysis
