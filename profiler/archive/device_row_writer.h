// Writes one row of a device's work to an archive, in order of time.
#pragma once

#include <cstdint>
#include <vector>

#include <otf2/otf2.h>

#include "profiler/archive/regions.h"
#include "profiler/recording/code_names.h"
#include "profiler/recording/device_work.h"
#include "profiler/recording/shared_clock.h"

namespace loomp::analysis::archive {

class DeviceRowWriter {
  public:
    /// Data that the devices of a process share; it outlives the writer.
    struct Context {
        std::size_t process; ///< its position
        const Clock &clock;
        const CodeNames &names;
        const std::vector<std::uint32_t> &positions; ///< the team's threads' positions, by number
        Regions &regions;
    };

    DeviceRowWriter(OTF2_EvtWriter *writer, const Context &context)
        : writer_(writer), context_(context) {}

    /// Throws std::runtime_error if the row could not be written.
    void write(const DeviceRecord &record);
    std::uint64_t time() const { return time_; } ///< time of the latest event

  private:
    void advance(Time time);

    OTF2_EvtWriter *writer_;
    Context context_;
    std::uint64_t time_ = 0;
};

} // namespace loomp::analysis::archive
