// Findings about devices.
#include <algorithm>
#include <map>
#include <tuple>
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
    for (const DeviceWork &work : trace.device_work) {
        if (work.what == DeviceWorkKind::kernel)
            continue;
        ++all[work.kind];
        if (work.held < kHeldUp)
            continue;
        ++sums[work.kind].count;
        sums[work.kind].time += work.held;
    }
    // A thread sometimes loses its processor in such a call.
    std::erase_if(sums, [&](const auto &sum) { return 2 * sum.second.count <= all[sum.first]; });
    report(sums, Advice::pageable_copies, 1 / threads_of(trace), findings);
}

void find_short_kernels(const Trace &trace, std::vector<Finding> &findings) {
    std::map<Index, Sum> sums;
    for (const DeviceWork &work : trace.device_work)
        if (work.what == DeviceWorkKind::kernel && work.end - work.begin < kShort) {
            ++sums[work.kind].count;
            sums[work.kind].time += work.end - work.begin;
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
    const auto depends = [&](Index task, Index on) {
        return std::binary_search(trace.dependences.begin(), trace.dependences.end(),
                                  Dependence{on, task},
                                  [](const Dependence &a, const Dependence &b) {
                                      return std::tie(a.to, a.from) < std::tie(b.to, b.from);
                                  });
    };
    std::map<std::pair<Index, Index>, std::vector<const DeviceWork *>> devices;
    for (const DeviceWork &work : trace.device_work)
        if (work.what == DeviceWorkKind::kernel)
            devices[{work.rank, work.device}].push_back(&work);
    std::map<Index, Sum> sums;
    for (auto &[place, work] : devices) {
        std::stable_sort(work.begin(), work.end(), [](const DeviceWork *a, const DeviceWork *b) {
            return a->begin < b->begin;
        });
        std::map<Index, Sum> serial;
        Sum all;
        for (std::size_t i = 1; i < work.size(); ++i) {
            const DeviceWork &before = *work[i - 1];
            const DeviceWork &one = *work[i];
            ++all.count;
            const bool known = one.task != kNone && before.task != kNone && one.task != before.task;
            // The construct existed, and nothing was known to come later.
            if (!known || one.begin < before.end || trace.tasks[one.task].created >= before.begin ||
                depends(one.task, before.task))
                continue;
            ++serial[one.kind].count;
            serial[one.kind].time += one.end - one.begin;
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
