// The machine: the real one for queries, an invented one for known answers.
#include "runtime/core/environment/topology.h"

#include "runtime/core/environment/hardware_subset.h"

#include <algorithm>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

/// Returns two sockets. Each has two NUMA domains of two caches of two cores of two hardware
/// threads. Processors are numbered like Linux does: second threads of cores come last.
std::vector<Location> invented_machine() {
    std::vector<Location> machine(32);
    for (int i = 0; i < 32; ++i) {
        const int core = i % 16;
        machine[static_cast<std::size_t>(i)] = {core, core / 2, core / 4, core / 8};
    }
    return machine;
}

TEST(Topology, DistanceIsTheInnermostThingShared) {
    const std::vector<Location> m = invented_machine();
    EXPECT_EQ(distance(m[0], m[16]), MachineLevel::core);
    EXPECT_EQ(distance(m[0], m[1]), MachineLevel::ll_cache);
    EXPECT_EQ(distance(m[0], m[2]), MachineLevel::numa_domain);
    EXPECT_EQ(distance(m[0], m[4]), MachineLevel::socket);
    EXPECT_EQ(distance(m[0], m[31]), MachineLevel::machine);
    EXPECT_LT(MachineLevel::core, MachineLevel::machine);
    EXPECT_EQ(distance(Location{}, Location{}), MachineLevel::machine) << "unknown is far";
}

TEST(Topology, ProcessorsAreGroupedByWhatTheyShare) {
    const std::vector<Location> m = invented_machine();
    std::vector<int> all(32);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(group_processors(MachineLevel::thread, all, m).size(), 32U);
    const std::vector<Place> cores = group_processors(MachineLevel::core, all, m);
    ASSERT_EQ(cores.size(), 16U);
    EXPECT_EQ(cores[3], (Place{3, 19}));
    EXPECT_EQ(group_processors(MachineLevel::ll_cache, all, m)[1], (Place{2, 3, 18, 19}));
    EXPECT_EQ(group_processors(MachineLevel::numa_domain, all, m).size(), 4U);
    EXPECT_EQ(group_processors(MachineLevel::socket, all, m).size(), 2U);
    // Groups only some processors.
    EXPECT_EQ(group_processors(MachineLevel::core, {3, 5, 19}, {m[3], m[5], m[19]}),
              (std::vector<Place>{{3, 19}, {5}}));
}

TEST(Topology, SharesHaveNearProcessorsAndUndividedCores) {
    const std::vector<Location> m = invented_machine();
    Place all(m.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(share_of(0, 4, all, m), (Place{0, 1, 2, 3, 16, 17, 18, 19}));
    EXPECT_EQ(share_of(3, 4, all, m), (Place{12, 13, 14, 15, 28, 29, 30, 31}));
    EXPECT_EQ(share_of(1, 32, all, m), (Place{16})) << "fewer cores than parts";
    Place together;
    for (int part = 0; part < 3; ++part) {
        const Place share = share_of(part, 3, all, m);
        EXPECT_GE(share.size(), 10U);
        together.insert(together.end(), share.begin(), share.end());
    }
    std::sort(together.begin(), together.end());
    EXPECT_EQ(together, all);
}

Place subset_of(const std::string &text) {
    const std::vector<Location> m = invented_machine();
    Place all(m.size());
    std::iota(all.begin(), all.end(), 0);
    HardwareSubset subset;
    std::string why;
    EXPECT_TRUE(parse_hardware_subset(text, subset, why)) << text << ": " << why;
    return choose_processors(subset, all, m, why);
}

TEST(Topology, ASubsetCountsWithinWhatIsAroundIt) {
    EXPECT_EQ(subset_of("1s"), subset_of("1s,*c,*t"));
    EXPECT_EQ(subset_of("1s").size(), 16U);
    EXPECT_EQ(subset_of("2c,1t"), (Place{0, 1, 8, 9})) << "of each socket";
    EXPECT_EQ(subset_of(":2c,1t"), (Place{0, 1})) << "of the machine";
    EXPECT_EQ(subset_of("1t,1s,2c"), (Place{0, 1})) << "in any order";
    EXPECT_EQ(subset_of("1s@1,2c@1,1t@1"), (Place{25, 26}));
    EXPECT_EQ(subset_of("2n,1c"), (Place{0, 4, 8, 12, 16, 20, 24, 28}));
    EXPECT_EQ(subset_of("1Sx1Core x 1T"), (Place{0})) << "as older versions write it";
    EXPECT_EQ(subset_of(":1l3"), (Place{0, 1, 16, 17}));
}

TEST(Topology, ASubsetThatIsNotThereIsSaid) {
    HardwareSubset subset;
    std::string why;
    for (const char *const text : {"", "c", "0c", "2q", "2c,,1t", "2c,3c", "2c@", "2c@x", "-1c",
                                   "2c:intel_core", "99999999999c"}) {
        why.clear();
        EXPECT_FALSE(parse_hardware_subset(text, subset, why)) << text;
        EXPECT_FALSE(why.empty()) << text;
    }
    const auto refusal = [](const std::string &text) {
        HardwareSubset of_text;
        std::string reason;
        EXPECT_FALSE(parse_hardware_subset(text, of_text, reason)) << text;
        return reason;
    };
    EXPECT_EQ(refusal("1s,0c"), "\"0c\" does not begin with a count of 1 or more, or *");
    EXPECT_EQ(refusal("2q"),
              "\"q\" is none of s (sockets), n (NUMA domains), l3, c (cores), t (threads)");
    EXPECT_EQ(refusal("2c@y"), "what follows @ in \"2c@y\" is not a number");
    EXPECT_EQ(refusal("2c,,1t"), "has an empty part");
    EXPECT_EQ(refusal("2c,3c"), "names cores twice");
    for (const char *const text : {"3s", "9c", "1c@8", "*t@2"}) {
        why.clear();
        EXPECT_TRUE(subset_of(text).empty()) << text;
    }
    ASSERT_TRUE(parse_hardware_subset("9c", subset, why));
    choose_processors(subset, {0, 1}, {{0, 0, 0, 0}, {1, 0, 0, 0}}, why);
    EXPECT_NE(why.find("more cores than there are (2"), std::string::npos) << why;
}

TEST(Topology, ThisMachineHasProcessorsAndPlaces) {
    const std::vector<int> &ids = available_processor_ids();
    ASSERT_EQ(ids.size(), available_processors());
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    for (const MachineLevel kind :
         {MachineLevel::thread, MachineLevel::core, MachineLevel::ll_cache,
          MachineLevel::numa_domain, MachineLevel::socket}) {
        PlacesSpec spec;
        spec.is_abstract = true;
        spec.kind = kind;
        std::string why;
        std::vector<int> together;
        for (const Place &place : resolve_places(spec, why))
            together.insert(together.end(), place.begin(), place.end());
        std::sort(together.begin(), together.end());
        EXPECT_EQ(together, ids) << "kind " << static_cast<int>(kind);
        spec.count = 1;
        EXPECT_EQ(resolve_places(spec, why).size(), 1U);
    }
    EXPECT_NE(describe_machine().find("processor"), std::string::npos);
}

TEST(Topology, AThreadIsBoundWhereItIsTold) {
    const int last = available_processor_ids().back();
    std::thread([last] {
        EXPECT_TRUE(bind_current_thread({last}));
        EXPECT_EQ(current_processor_ids(), (Place{last}));
        EXPECT_TRUE(bind_current_thread(available_processor_ids()));
        EXPECT_EQ(current_processor_ids(), available_processor_ids());
        EXPECT_FALSE(bind_current_thread({900000})) << "no such processor";
        EXPECT_FALSE(bind_current_thread({}));
    }).join();
}

} // namespace
} // namespace loomp::core
