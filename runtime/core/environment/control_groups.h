// The control groups that the process is in: how containers and batch systems limit what it uses.
// Both versions of the kernel's interface (cgroups(7)); where neither is mounted there is no limit.
//
// Thread safety: everything from any thread. `root` is where the machine's files begin: tests have
// files of their own.
#pragma once

#include <cstdio>
#include <string>

namespace loomp::core {

/// Of a limit, and of what is counted against it, the files have other names.
enum class GroupVersion { one, two };

/// Calls `use` with the folder of the process's group that `controller` ("cpu", "memory") limits,
/// and with those of the groups around it, since each of them has a limit. With both versions
/// mounted, for each.
template <class Use> void for_each_group(const std::string &root, const char *controller, Use use);

/// How many processors' time the process gets by the least quota of its groups, rounded up; 0:
/// there is no quota.
unsigned processors_of_quota(const std::string &root = "");

// ---------------------------------------------------------------------------------------------

namespace control_groups {
/// What a line of /proc/self/cgroup says, if it is about the controller.
struct Membership {
    GroupVersion version;
    std::string group; ///< its path, which begins with a slash
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
