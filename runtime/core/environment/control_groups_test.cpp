// The quota of processor time, read from folders like the kernel's.
#include "runtime/core/environment/control_groups.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

/// A machine's files, until the end of the test.
class Machine {
  public:
    Machine() {
        std::string name = (std::filesystem::temp_directory_path() / "groups-XXXXXX").string();
        root_ = mkdtemp(name.data());
    }
    ~Machine() { std::filesystem::remove_all(root_); }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    Machine &with(const std::string &path, const std::string &text) {
        std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
        std::ofstream(root_ + path) << text;
        return *this;
    }
    unsigned quota() const { return processors_of_quota(root_); }

  private:
    std::string root_;
};

TEST(ControlGroups, NoneWithoutFiles) {
    EXPECT_EQ(Machine().quota(), 0u);
    EXPECT_EQ(Machine().with("/proc/self/cgroup", "0::/job\n").quota(), 0u);
    EXPECT_EQ(Machine().with("/proc/self/cgroup", "what is this\n").quota(), 0u);
}

TEST(ControlGroups, SecondVersion) {
    Machine machine;
    machine.with("/proc/self/cgroup", "0::/user/job\n");
    machine.with("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    EXPECT_EQ(machine.quota(), 0u);
    machine.with("/sys/fs/cgroup/user/job/cpu.max", "200000 100000\n");
    EXPECT_EQ(machine.quota(), 2u);
    machine.with("/sys/fs/cgroup/user/job/cpu.max", "250000 100000\n");
    EXPECT_EQ(machine.quota(), 3u);
    machine.with("/sys/fs/cgroup/user/job/cpu.max", "1000 100000\n");
    EXPECT_EQ(machine.quota(), 1u);
}

TEST(ControlGroups, AGroupAroundItMayAllowLess) {
    Machine machine;
    machine.with("/proc/self/cgroup", "0::/user/job\n");
    machine.with("/sys/fs/cgroup/user/job/cpu.max", "800000 100000\n");
    machine.with("/sys/fs/cgroup/user/cpu.max", "200000 50000\n");
    EXPECT_EQ(machine.quota(), 4u);
}

TEST(ControlGroups, InAContainerThatSeesItsOwnGroupAsTheFirst) {
    Machine machine;
    machine.with("/proc/self/cgroup", "0::/\n");
    machine.with("/sys/fs/cgroup/cpu.max", "150000 100000\n");
    EXPECT_EQ(machine.quota(), 2u);
}

TEST(ControlGroups, FirstVersion) {
    Machine machine;
    machine.with("/proc/self/cgroup", "5:cpuset:/a\n4:cpu,cpuacct:/docker/1\n3:memory:/b\n");
    machine.with("/sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us", "100000\n");
    machine.with("/sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "-1\n");
    EXPECT_EQ(machine.quota(), 0u);
    machine.with("/sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "300000\n");
    EXPECT_EQ(machine.quota(), 3u);
    // A container whose group's path is valid only on the host machine.
    machine.with("/proc/self/cgroup", "4:cpuacct,cpu:/elsewhere\n");
    machine.with("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n");
    machine.with("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
    EXPECT_EQ(machine.quota(), 2u);
}

} // namespace
} // namespace loomp::core
