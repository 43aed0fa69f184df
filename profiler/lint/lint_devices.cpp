// Findings about devices.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "profiler/lint/lint.h"

namespace loomp::analysis::linting {

namespace {

constexpr Time kHeldUp = 20'000; // ns: shorter calls only ask for a copy
/// The time to request a kernel and find it done, in libomptarget and drivers.
constexpr Time kShort = 20'000; // ns

double threads_of(const Trace &trace) { return std::max(1.0, threads_per_rank(trace)); }

struct Sum {
    std::size_t count = 0;
    Time time = 0;
};

void report(const std::map<Index, Sum> &sums, Advice advice, double per_time,
            std::vector<Finding> &findings) {
    for (const auto &[kind, of] : sums)
        findings.push_back({.advice = advice,
                            .kind = kind,
                            .count = of.count,
                            .cause = of.time,
                            .gain = static_cast<double>(of.time) * per_time});
}

void find_pageable_copies(const Trace &trace, std::vector<Finding> &findings) {
    std::map<Index, Sum> sums;
    std::map<Index, std::size_t> all;
    for (const DeviceWork &of : trace.device_work) {
        if (of.what == DeviceWorkKind::kernel)
            continue;
        ++all[of.kind];
        if (of.held < kHeldUp)
            continue;
        ++sums[of.kind].count;
        sums[of.kind].time += of.held;
    }
    // A thread sometimes loses its processor in such a call.
    std::erase_if(sums, [&](const auto &of) { return 2 * of.second.count <= all[of.first]; });
    report(sums, Advice::pageable_copies, 1 / threads_of(trace), findings);
}

void find_short_kernels(const Trace &trace, std::vector<Finding> &findings) {
    std::map<Index, Sum> sums;
    for (const DeviceWork &of : trace.device_work)
        if (of.what == DeviceWorkKind::kernel && of.end - of.begin < kShort) {
            ++sums[of.kind].count;
            sums[of.kind].time += of.end - of.begin;
        }
    for (const auto &[kind, of] : sums)
        if (of.count >= 2)
            findings.push_back({.advice = Advice::short_kernels,
                                .kind = kind,
                                .count = of.count,
                                .cause = kShort,
                                .gain = static_cast<double>(of.time)});
}

/// Work of a device that began after work of another construct, which had ended by then.
void find_serial_devices(const Trace &trace, std::vector<Finding> &findings) {
    std::set<std::pair<Index, Index>> edges;
    for (const Dependence &of : trace.dependences)
        edges.emplace(of.from, of.to);
    std::map<std::pair<Index, Index>, std::vector<const DeviceWork *>> devices;
    for (const DeviceWork &of : trace.device_work)
        if (of.what == DeviceWorkKind::kernel)
            devices[{of.rank, of.device}].push_back(&of);
    std::map<Index, Sum> sums;
    for (auto &[place, work] : devices) {
        std::stable_sort(work.begin(), work.end(), [](const DeviceWork *a, const DeviceWork *b) {
            return a->begin < b->begin;
        });
        std::map<Index, Sum> serial;
        Sum all;
        for (std::size_t i = 1; i < work.size(); ++i) {
            const DeviceWork &before = *work[i - 1];
            const DeviceWork &of = *work[i];
            ++all.count;
            const bool known = of.task != kNone && before.task != kNone && of.task != before.task;
            // The construct existed, and nothing was known to come later.
            if (!known || of.begin < before.end || trace.tasks[of.task].created >= before.begin ||
                edges.contains({before.task, of.task}))
                continue;
            ++serial[of.kind].count;
            serial[of.kind].time += of.end - of.begin;
        }
        std::size_t count = 0;
        for (const auto &[kind, of] : serial)
            count += of.count;
        // This sometimes happens anyway.
        if (2 * count <= all.count)
            continue;
        for (const auto &[kind, of] : serial) {
            sums[kind].count += of.count;
            sums[kind].time += of.time;
        }
    }
    // Counts two at a time.
    report(sums, Advice::serial_device, 0.5, findings);
}

} // namespace

void find_device_faults(const Trace &trace, std::vector<Finding> &findings) {
    if (trace.device_work.empty())
        return;
    find_pageable_copies(trace, findings);
    find_serial_devices(trace, findings);
    find_short_kernels(trace, findings);
}

} // namespace loomp::analysis::linting
