// What a process' devices did, from what libomptarget told the recorder.
//
// It tells when it asks the driver for a kernel or a copy and when that call returns, and the
// runtime when all that a construct began has been done; when a device begins one thing and ends
// another nobody tells. So:
//   - a copy whose call took as long as 64 GB/s would is done by that call: it was pageable;
//   - a kernel whose call took 0.1 ms ran in that call, as those of plugins that compute at once;
//   - any other kernel has the rest of its construct's time, and copies asked for behind it have
//     none of their own;
//   - of copies without a kernel each has a part of that time by its bytes.
// So what a construct does is one thing after the other, as it is on a device's stream.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/recording/recording.h"

namespace loomp::analysis {

struct DeviceRecord {
    Time begin; ///< by the process' clock
    Time end;
    Time held;             ///< of the thread that asked for it: how long that call took
    std::uint64_t bytes;   ///< of a copy
    std::uint64_t task;    ///< in whose construct it is; 0: not known
    std::uint64_t address; ///< of the construct in the code; 0: not known
    std::uint32_t device;
    std::uint32_t row; ///< of the device: what is in flight at once is in several, from 0 on
    record::DeviceWork what;
};

/// By device, row and time.
std::vector<DeviceRecord> device_work(const RecordedProcess &process);

} // namespace loomp::analysis
