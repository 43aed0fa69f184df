// Measures the work of devices, and how much of it overlaps work on processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct DeviceRow {
    Index rank = 0;
    Index device = 0;
    std::size_t kernels = 0;
    Time kernel_time = 0; ///< summed, also when they overlap
    std::size_t copies_to = 0;
    std::size_t copies_from = 0;
    std::uint64_t bytes_to = 0;
    std::uint64_t bytes_from = 0;
    Time copy_time = 0;  ///< summed, also when they overlap
    Time held = 0;       ///< the time of threads that asked for copies
    Time busy = 0;       ///< something was in flight
    Time several = 0;    ///< more than one construct was in flight
    Time overlapped = 0; ///< it was busy while explicit tasks of its rank ran on processors

    double overlap() const {
        return busy == 0 ? 0 : static_cast<double>(overlapped) / static_cast<double>(busy);
    }
};

/// One per device that did something, by rank and number. A window selects the work that began in
/// it, cut at its end.
std::vector<DeviceRow> device_table(const Trace &trace, std::optional<Interval> window = {});

/// The device work of one construct; kernels and copies are separate kinds.
struct DeviceKindRow {
    Index kind = kNone;
    DeviceWorkKind what = DeviceWorkKind::kernel;
    std::size_t count = 0;
    std::uint64_t bytes = 0;
    Time time = 0;
    Time held = 0;
    Time shortest = kNever;
    Time median = 0;
    Time longest = 0;

    double mean() const { return static_cast<double>(time) / static_cast<double>(count); }
};

/// Sorted by time, longest first.
std::vector<DeviceKindRow> device_kind_table(const Trace &trace,
                                             std::optional<Interval> window = {});

} // namespace loomp::analysis
