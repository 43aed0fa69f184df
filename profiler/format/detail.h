// The optional parts of a recording, by name: `loomp trace --detail` and LOOMP_TRACE_DETAIL choose
// them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace loomp::record {

enum Detail : std::uint32_t {
    kTasks = 1, ///< in every recording
    kDependences = 2,
    kCalls = 4,
    kMessages = 8,
    kWaits = 16,
    kCounters = 32,   ///< if LOOMP_TRACE_COUNTERS names available ones
    kRegions = 64,    ///< parallel regions and worksharing constructs
    kForked = 128,    ///< and nothing else: in a forked child that has not run OpenMP
    kDeletions = 512, ///< deletions of tasks, if the runtime reports them
    kDevices = 1024,  ///< kernels, and copies from and to devices
    kCpuTime = 256,   ///< if LOOMP_TRACE_CPU_TIME is set: counters are read at calls, too
    kMutexes = 2048,  ///< critical sections, locks and ordered regions
};

struct DetailName {
    std::string_view name;
    std::uint32_t details; ///< with the details that it needs
};

inline constexpr std::array<DetailName, 9> kDetailNames = {{
    {"tasks", kTasks},
    {"dependences", kTasks | kDependences},
    {"calls", kTasks | kCalls},
    {"messages", kTasks | kCalls | kMessages},
    {"waits", kTasks | kWaits},
    {"mutexes", kTasks | kWaits | kMutexes},
    {"regions", kTasks | kWaits | kRegions},
    {"devices", kTasks | kDevices},
    {"deletions", kTasks | kDeletions},
}};
/// The default leaves out deletions, which few users need.
inline constexpr std::uint32_t kAllDetails =
    kTasks | kDependences | kCalls | kMessages | kWaits | kRegions | kDevices | kMutexes;
/// The list of names for the message about a wrong one.
inline constexpr const char *kDetailHelp =
    "tasks, dependences, calls, messages, waits, mutexes, regions, devices, deletions";

/// Parses names between commas. 0 after an error: `wrong` is the wrong name, or null if no name is
/// given.
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
