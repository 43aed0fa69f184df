// The process's control groups, with which containers and batch systems limit resources. This
// supports both versions of the kernel's interface (cgroups(7)); if neither is mounted there is no
// limit.
//
// Thread safety: everything from any thread. Tests pass their own folder as `root`, which replaces
// the machine's root folder.
#pragma once

#include <cstdio>
#include <string>

namespace loomp::core {

/// The versions name the files of a limit and of its usage differently.
enum class GroupVersion { one, two };

/// Calls `use` with the folder of the process's group for `controller` ("cpu", "memory"), and with
/// those of the enclosing groups. Each of them has a limit. It visits both versions if both are
/// mounted.
template <class Use> void for_each_group(const std::string &root, const char *controller, Use use);

/// Returns how many processors' time the smallest quota of the groups allows, rounded up; 0: there
/// is no quota.
unsigned processors_of_quota(const std::string &root = "");

// ---------------------------------------------------------------------------------------------

namespace control_groups {
/// The result of a line of /proc/self/cgroup, if it describes the controller.
struct Membership {
    GroupVersion version;
    std::string group; ///< the path, which begins with a slash
};
bool read_membership(const char *line, const char *controller, Membership &found);
} // namespace control_groups

template <class Use> void for_each_group(const std::string &root, const char *controller, Use use) {
    std::FILE *file = std::fopen((root + "/proc/self/cgroup").c_str(), "re");
    if (file == nullptr)
        return;
    char line[1024];
    control_groups::Membership membership;
    while (std::fgets(line, sizeof line, file) != nullptr) {
        if (!control_groups::read_membership(line, controller, membership))
            continue;
        std::string mounted = root + "/sys/fs/cgroup";
        if (membership.version == GroupVersion::one)
            mounted.append("/").append(controller);
        for (;;) {
            while (!membership.group.empty() && membership.group.back() == '/')
                membership.group.pop_back();
            use(mounted + membership.group, membership.version);
            if (membership.group.empty())
                break;
            membership.group.erase(membership.group.find_last_of('/'));
        }
    }
    std::fclose(file);
}

} // namespace loomp::core
