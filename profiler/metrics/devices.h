// What devices did, and how much of it beside work on processors.
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
    Time kernel_time = 0; ///< summed, also of those at once
    std::size_t copies_to = 0;
    std::size_t copies_from = 0;
    std::uint64_t bytes_to = 0;
    std::uint64_t bytes_from = 0;
    Time copy_time = 0;  ///< likewise
    Time held = 0;       ///< of threads that asked for copies
    Time busy = 0;       ///< something was in flight
    Time several = 0;    ///< more than one construct was
    Time overlapped = 0; ///< it was busy while explicit tasks of its rank ran on processors

    double overlap() const {
        return busy == 0 ? 0 : static_cast<double>(overlapped) / static_cast<double>(busy);
    }
};

/// Of each device that did something, by rank and number. With a window, of what began in it;
/// times are cut at its end.
std::vector<DeviceRow> device_table(const Trace &trace, std::optional<Interval> window = {});

/// Of what devices do for one construct: kernels and copies are kinds of their own.
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

/// Most time first.
std::vector<DeviceKindRow> device_kind_table(const Trace &trace,
                                             std::optional<Interval> window = {});

} // namespace loomp::analysis
