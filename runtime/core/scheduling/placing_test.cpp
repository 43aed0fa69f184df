// Queues of new tasks by part of the machine.
#include "platform/atomic.h"
#include "runtime/core/scheduling/placing.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

/// Eight processors: pairs share a cache, four a NUMA domain (numbered 0 and 2) and a socket.
Location locate(int processor) {
    return {processor, processor / 2, processor / 4 * 2, processor / 4};
}
const std::vector<Place> kPlaces = {{4}, {5}, {6, 7}, {0, 1}, {2}, {3}};

std::vector<unsigned> parts(MachineLevel level) {
    const MachineParts machine(kPlaces, level, locate);
    std::vector<unsigned> parts;
    for (int place = 0; place < static_cast<int>(kPlaces.size()); ++place)
        parts.push_back(machine.of_place(place));
    return parts;
}

TEST(MachineParts, PlacesOnTheSameObjectBelongTogether) {
    EXPECT_EQ(parts(MachineLevel::core), (std::vector<unsigned>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(parts(MachineLevel::ll_cache), (std::vector<unsigned>{0, 0, 1, 2, 3, 3}));
    EXPECT_EQ(parts(MachineLevel::numa_domain), (std::vector<unsigned>{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(parts(MachineLevel::socket), (std::vector<unsigned>{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(parts(MachineLevel::machine), (std::vector<unsigned>(6)));
}

TEST(MachineParts, NumaDomainsGoByTheirNumbers) {
    const MachineParts machine(kPlaces, MachineLevel::socket, locate);
    EXPECT_EQ(machine.count(), 2U);
    EXPECT_EQ(machine.of_numa_domain(2), 0U);
    EXPECT_EQ(machine.of_numa_domain(0), 1U);
    for (const int unknown : {-1, -14, 1, 77})
        EXPECT_EQ(machine.of_numa_domain(unknown), 0U) << unknown;
    EXPECT_EQ(machine.of_place(-1), 0U);
}

TEST(MachineParts, NoPlacesAreOnePart) {
    const MachineParts machine({}, MachineLevel::core, locate);
    EXPECT_EQ(machine.count(), 1U);
    EXPECT_EQ(machine.of_place(-1), 0U);
}

} // namespace
} // namespace loomp::core
