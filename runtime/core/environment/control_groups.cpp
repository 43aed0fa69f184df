#include "runtime/core/environment/control_groups.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

namespace loomp::core {

namespace control_groups {

bool read_membership(const char *line, const char *controller, Membership &found) {
    // A line is "0::/user/job", or in version 1 "4:cpu,cpuacct:/user/job".
    const char *controllers = std::strchr(line, ':');
    const char *path = controllers != nullptr ? std::strchr(controllers + 1, ':') : nullptr;
    if (path == nullptr)
        return false;
    std::string_view names(controllers + 1, static_cast<std::size_t>(path - controllers - 1));
    if (std::strncmp(line, "0:", 2) == 0 && names.empty()) {
        found.version = GroupVersion::two;
    } else {
        bool named = false;
        while (!names.empty() && !named) {
            const std::size_t end = std::min(names.find(','), names.size());
            named = names.substr(0, end) == controller;
            names.remove_prefix(std::min(end + 1, names.size()));
        }
        if (!named)
            return false;
        found.version = GroupVersion::one;
    }
    found.group.assign(path + 1, std::strcspn(path + 1, "\n"));
    return true;
}

} // namespace control_groups

namespace {

/// Reads the numbers at a file's start. Returns false if there are fewer; limits may be the word
/// "max".
bool read_numbers(const std::string &path, long long *numbers, int count) {
    std::FILE *file = std::fopen(path.c_str(), "re");
    if (file == nullptr)
        return false;
    int read = 0;
    while (read < count && std::fscanf(file, "%lld", &numbers[read]) == 1)
        ++read;
    std::fclose(file);
    return read == count;
}

} // namespace

unsigned processors_of_quota(const std::string &root) {
    long long least = std::numeric_limits<long long>::max();
    for_each_group(root, "cpu", [&](const std::string &folder, GroupVersion version) {
        long long times[2]; // microseconds of processors' time, in each period of so many
        const bool limited = version == GroupVersion::two
                                 ? read_numbers(folder + "/cpu.max", times, 2)
                                 : read_numbers(folder + "/cpu.cfs_quota_us", &times[0], 1) &&
                                       read_numbers(folder + "/cpu.cfs_period_us", &times[1], 1);
        if (limited && times[0] > 0 && times[1] > 0)
            least = std::min(least, (times[0] - 1) / times[1] + 1);
    });
    constexpr long long kMost = std::numeric_limits<int>::max();
    return least > kMost ? 0 : static_cast<unsigned>(least);
}

} // namespace loomp::core
