// What a recording has of a program beside its tasks, by name: `loomp trace --detail` and
// LOOMP_TRACE_DETAIL choose.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace loomp::record {

enum Detail : std::uint32_t {
    kTasks = 1, ///< what all recordings have
    kDependences = 2,
    kCalls = 4,
    kMessages = 8,
    kWaits = 16,
    kCounters = 32,   ///< where LOOMP_TRACE_COUNTERS names some that are there
    kRegions = 64,    ///< parallel ones, and worksharing constructs
    kForked = 128,    ///< and nothing else: in a forked child that has not run OpenMP
    kDeletions = 512, ///< of tasks, by runtimes that tell of them
    kDevices = 1024,  ///< kernels, and copies from and to devices
    kCpuTime = 256,   ///< where LOOMP_TRACE_CPU_TIME is set: counters are read at calls, too
};

struct DetailName {
    std::string_view name;
    std::uint32_t details; ///< with what it needs
};

inline constexpr std::array<DetailName, 8> kDetailNames = {{
    {"tasks", kTasks},
    {"dependences", kTasks | kDependences},
    {"calls", kTasks | kCalls},
    {"messages", kTasks | kCalls | kMessages},
    {"waits", kTasks | kWaits},
    {"regions", kTasks | kWaits | kRegions},
    {"devices", kTasks | kDevices},
    {"deletions", kTasks | kDeletions},
}};
/// Without deletions, which few want.
inline constexpr std::uint32_t kAllDetails =
    kTasks | kDependences | kCalls | kMessages | kWaits | kRegions | kDevices;
/// For who is told that a name is none of them.
inline constexpr const char *kDetailHelp =
    "tasks, dependences, calls, messages, waits, regions, devices, deletions";

/// Of names between commas; 0: `wrong` is none, and null where nothing is named.
constexpr std::uint32_t details_of(std::string_view names, std::string_view &wrong) {
    std::uint32_t details = 0;
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(','));
        names.remove_prefix(name.size() < names.size() ? name.size() + 1 : name.size());
        std::uint32_t found = 0;
        for (const DetailName &known : kDetailNames)
            if (known.name == name)
                found = known.details;
        wrong = name;
        if (found == 0)
            return 0;
        details |= found;
    }
    return details;
}

} // namespace loomp::record
