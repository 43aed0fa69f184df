// Places: the grammar of OMP_PLACES, and the place of each thread, checked against handmade tables
// from OpenMP 5.2, 10.1.3.
#include "runtime/core/environment/places.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

using Places = std::vector<Place>;

Places parsed(const std::string &text) {
    PlacesSpec spec;
    std::string why;
    EXPECT_TRUE(parse_places(text, spec, why)) << text << ": " << why;
    EXPECT_FALSE(spec.is_abstract);
    return spec.list;
}

std::string refusal(const std::string &text) {
    PlacesSpec spec;
    std::string why;
    EXPECT_FALSE(parse_places(text, spec, why)) << text;
    EXPECT_TRUE(spec.list.empty());
    return why;
}

TEST(PlacesGrammar, ListsIntervalsAndStrides) {
    EXPECT_EQ(parsed("{0}:3"), (Places{{0}, {1}, {2}}));
    EXPECT_EQ(parsed("{0,1},{3,2,4}"), (Places{{0, 1}, {2, 3, 4}}));
    EXPECT_EQ(parsed("{0:4},{4:4},{8:4}"), (Places{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}));
    EXPECT_EQ(parsed("{0:4}:3:4"), parsed("{0:4},{4:4},{8:4}"));
    EXPECT_EQ(parsed(" { 0 : 2 : 4 } : 2 : 1 "), (Places{{0, 4}, {1, 5}}));
    EXPECT_EQ(parsed("{7,6}:2:-3"), (Places{{6, 7}, {3, 4}}));
    EXPECT_EQ(parsed("{7:2:-1}"), (Places{{6, 7}}));
    EXPECT_EQ(parsed("1:2,7:3:-2"), (Places{{1}, {2}, {7}, {5}, {3}}));
    EXPECT_EQ(parsed("{1,1,1}"), (Places{{1}}));
}

TEST(PlacesGrammar, ExclusionTakesBackTheLatestEqualPlace) {
    EXPECT_EQ(parsed("{6,7}:4:-2,!{2,3}"), (Places{{6, 7}, {4, 5}, {0, 1}}));
    EXPECT_EQ(parsed("{0,1},{3,2,4},{6,5,!6},{6},{7:2:-1,!6}"),
              (Places{{0, 1}, {2, 3, 4}, {5}, {6}, {7}}));
    EXPECT_EQ(
        parsed("1,2,{2,3,!2},3,3,!3,!{5:3:-1,!4,!5},{4},5,!4,!5,1:2,!{1},!2,7:3:-2,!{5},!7,!3"),
        (Places{{1}, {2}, {3}}));
}

TEST(PlacesGrammar, AbstractNames) {
    const struct {
        const char *text;
        MachineLevel kind;
        int count;
    } cases[] = {{"threads", MachineLevel::thread, 0},
                 {"CORES", MachineLevel::core, 0},
                 {" ll_caches ( 2 ) ", MachineLevel::ll_cache, 2},
                 {"numa_domains(1)", MachineLevel::numa_domain, 1},
                 {"sockets(16)", MachineLevel::socket, 16}};
    for (const auto &c : cases) {
        PlacesSpec spec;
        std::string why;
        EXPECT_TRUE(parse_places(c.text, spec, why)) << c.text << ": " << why;
        EXPECT_TRUE(spec.is_abstract);
        EXPECT_EQ(spec.kind, c.kind);
        EXPECT_EQ(spec.count, c.count);
    }
}

TEST(PlacesGrammar, WhatIsWrongIsSaid) {
    EXPECT_EQ(refusal(""), "is empty");
    EXPECT_EQ(refusal("{}"), "a number is due at \"}\"");
    EXPECT_EQ(refusal("{0,}"), "a number is due at \"}\"");
    EXPECT_EQ(refusal("{0},"), "ends where a number is due");
    EXPECT_EQ(refusal("{0"), "lacks a closing brace");
    EXPECT_EQ(refusal("{0} {1}"), "cannot make sense of \"{1}\"");
    EXPECT_EQ(refusal("{0}:0"), "a count is at least 1");
    EXPECT_EQ(refusal("{2,!2}"), "has an empty place");
    EXPECT_EQ(refusal("{0},!{0}"), "names no place");
    EXPECT_EQ(refusal("{0:3}:4:-2"), "runs out of processor numbers");
    EXPECT_EQ(refusal("{99999999999}"), "has a number beyond 1048575");
    EXPECT_EQ(refusal("{0:1000000}:1000000:0"), "names more processors than any machine has");
    // Many large parts of one place, or many exclusions from a large one, cost no more.
    std::string many = "{0:1000000";
    for (int i = 0; i < 1000; ++i)
        many += ",0:1000000";
    EXPECT_EQ(refusal(many), "names more processors than any machine has");
    many = "{0:1000000";
    for (int i = 0; i < 1000; ++i)
        many += ",!1";
    EXPECT_EQ(refusal(many), "names more processors than any machine has");
    constexpr const char *kManyExclusions =
        "has more exclusions than can be looked up among so many places";
    many = "0:1000000";
    for (int i = 0; i < 1000; ++i)
        many += ",!1";
    EXPECT_EQ(refusal(many), kManyExclusions);
    many = "{0:1000}:1000:0"; // each exclusion compares a million processors
    for (int i = 0; i < 100; ++i)
        many += ",!{0:999,1005}";
    EXPECT_EQ(refusal(many), kManyExclusions);
    EXPECT_EQ(parsed("{0}:8192,!{1},!{3},!{5}").size(), 8189U);
    for (const char *text : {"threadz", "cores()", "cores(0)", "cores(-1)", "cores(2", "cores(2)x",
                             "cores 2", "-1", "{-1}", "!{0}", "{0}:2:x", "{a}", ",", "{0}:-1"})
        EXPECT_NE(refusal(text), "") << text;
}

TEST(PlacesGrammar, CpuAffinity) {
    const auto cpus = [](const char *text) {
        PlacesSpec spec;
        std::string why;
        EXPECT_TRUE(parse_cpu_affinity(text, spec, why)) << text << ": " << why;
        return spec.list;
    };
    EXPECT_EQ(cpus("0 3 1-2 4-9:2"), (Places{{0}, {3}, {1}, {2}, {4}, {6}, {8}}));
    EXPECT_EQ(cpus("0,1,2"), (Places{{0}, {1}, {2}}));
    PlacesSpec spec;
    std::string why;
    const auto cpu_refusal = [](const char *text) {
        PlacesSpec of_text;
        std::string reason;
        EXPECT_FALSE(parse_cpu_affinity(text, of_text, reason)) << text;
        return reason;
    };
    EXPECT_EQ(cpu_refusal(""), "names no processor");
    EXPECT_EQ(cpu_refusal(" \t "), "names no processor");
    EXPECT_EQ(cpu_refusal("3-1"), "not a range from low to high");
    EXPECT_EQ(cpu_refusal("0-4:0"), "not a range from low to high");
    for (const char *text : {"a", "1-"})
        EXPECT_FALSE(parse_cpu_affinity(text, spec, why)) << text;
}

TEST(Places, RestrictedToUsableProcessors) {
    Places list = {{0, 1}, {2, 3}, {4, 9}};
    EXPECT_EQ(restrict_places(list, {1, 4}), (Place{0, 2, 3, 9}));
    EXPECT_EQ(list, (Places{{1}, {4}}));
    // An exclusion precedes the restriction to the machine: {0,6} is not {0,5} even if only 0
    // exists.
    Places two = parsed("{0,5},{0,6},!{0,6}");
    restrict_places(two, {0});
    EXPECT_EQ(two, (Places{{0}}));
}

TEST(Places, Formats) {
    EXPECT_EQ(format_places({{0, 1, 2, 3}, {4, 6, 7}, {9}}), "{0:4},{4,6:2},{9}");
    EXPECT_EQ(format_places({}), "");
    EXPECT_EQ(format_ranges({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
    EXPECT_EQ(parsed(format_places({{0, 1, 4}, {7}})), (Places{{0, 1, 4}, {7}}));
}

// --- Threads to places ---------------------------------------------------------------------------

struct Example {
    ProcBind policy;
    int threads;
    int parent_place;
    PlacePartition parent;
    std::vector<int> places;
    std::vector<PlacePartition> partitions; ///< empty: the parent's for all
};

TEST(PlaceAssignment, FollowsTheStandard) {
    const PlacePartition p8 = {0, 8};
    const Example examples[] = {
        // primary: all threads are on the parent's place.
        {ProcBind::primary, 3, 5, p8, {5, 5, 5}, {}},
        // close, T <= P: consecutive places around the partition.
        {ProcBind::close, 4, 0, p8, {0, 1, 2, 3}, {}},
        {ProcBind::close, 4, 6, p8, {6, 7, 0, 1}, {}},
        {ProcBind::close, 3, 5, {4, 3}, {5, 6, 4}, {}},
        // close, T > P: groups of consecutive threads, floor(T/P) or ceil(T/P).
        {ProcBind::close, 8, 0, {0, 4}, {0, 0, 1, 1, 2, 2, 3, 3}, {}},
        {ProcBind::close, 5, 0, {0, 4}, {0, 0, 1, 2, 3}, {}},
        {ProcBind::close, 7, 2, {0, 4}, {2, 2, 3, 3, 0, 0, 1}, {}},
        {ProcBind::close, 5, 3, {2, 2}, {3, 3, 3, 2, 2}, {}},
        // true is close.
        {ProcBind::true_, 3, 7, p8, {7, 0, 1}, {}},
        // spread, T <= P: subpartitions of floor(P/T) or ceil(P/T).
        {ProcBind::spread, 4, 0, p8, {0, 2, 4, 6}, {{0, 2}, {2, 2}, {4, 2}, {6, 2}}},
        {ProcBind::spread, 4, 0, {0, 7}, {0, 2, 4, 6}, {{0, 2}, {2, 2}, {4, 2}, {6, 1}}},
        {ProcBind::spread, 4, 0, {0, 5}, {0, 2, 3, 4}, {{0, 2}, {2, 1}, {3, 1}, {4, 1}}},
        // The primary thread stays on its place; the next thread gets the first place of the next
        // subpartition.
        {ProcBind::spread, 4, 3, p8, {3, 4, 6, 0}, {{2, 2}, {4, 2}, {6, 2}, {0, 2}}},
        {ProcBind::spread, 2, 6, {4, 4}, {6, 4}, {{6, 2}, {4, 2}}},
        {ProcBind::spread, 1, 5, p8, {5}, {{0, 8}}},
        {ProcBind::spread,
         8,
         2,
         p8,
         {2, 3, 4, 5, 6, 7, 0, 1},
         {{2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {0, 1}, {1, 1}}},
        // spread, T > P: subpartitions of one place.
        {ProcBind::spread, 5, 1, {0, 2}, {1, 1, 1, 0, 0}, {{1, 1}, {1, 1}, {1, 1}, {0, 1}, {0, 1}}},
        {ProcBind::spread, 4, 0, {0, 3}, {0, 0, 1, 2}, {{0, 1}, {0, 1}, {1, 1}, {2, 1}}},
        {ProcBind::spread, 3, 6, {6, 1}, {6, 6, 6}, {{6, 1}, {6, 1}, {6, 1}}},
        // false: the primary thread stays, the others are free.
        {ProcBind::false_, 3, 2, p8, {2, -1, -1}, {}},
        {ProcBind::false_, 2, -1, p8, {-1, -1}, {}},
        // An unbound parent starts at the first place of its partition.
        {ProcBind::close, 2, -1, {4, 4}, {4, 5}, {}},
        // Without places no thread is bound.
        {ProcBind::close, 2, -1, {0, 0}, {-1, -1}, {}},
    };
    for (const Example &team : examples)
        for (int i = 0; i < team.threads; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const PlaceAssignment expected = {
                team.places[at], team.partitions.empty() ? team.parent : team.partitions[at]};
            EXPECT_EQ(assign_place(team.policy, i, team.threads, team.parent_place, team.parent),
                      expected)
                << "policy " << static_cast<int>(team.policy) << ", thread " << i << " of "
                << team.threads << ", parent at " << team.parent_place << " in "
                << team.parent.first << "+" << team.parent.count;
        }
}

// Checks the rules of 10.1.3 for every T and P, including sizes for which the standard leaves a
// choice.
TEST(PlaceAssignment, KeepsTheStandardsPromisesForAllSizes) {
    for (int places = 1; places <= 9; ++places)
        for (int threads = 1; threads <= 20; ++threads)
            for (int start = 0; start < places; ++start)
                for (const ProcBind policy : {ProcBind::close, ProcBind::spread}) {
                    const PlacePartition parent = {3, places};
                    std::vector<int> load(static_cast<std::size_t>(places));
                    std::vector<int> covered(static_cast<std::size_t>(places));
                    int changes = 0;
                    int last = -1;
                    for (int i = 0; i < threads; ++i) {
                        const PlaceAssignment a =
                            assign_place(policy, i, threads, 3 + start, parent);
                        ASSERT_GE(a.place, 3);
                        ASSERT_LT(a.place, 3 + places);
                        ++load[static_cast<std::size_t>(a.place - 3)];
                        ASSERT_GE(a.place, a.partition.first);
                        ASSERT_LT(a.place, a.partition.first + a.partition.count);
                        if (policy == ProcBind::spread && threads <= places)
                            for (int p = 0; p < a.partition.count; ++p)
                                ++covered[static_cast<std::size_t>(a.partition.first - 3 + p)];
                        changes += a.place != last ? 1 : 0;
                        last = a.place;
                    }
                    EXPECT_EQ(assign_place(policy, 0, threads, 3 + start, parent).place, 3 + start);
                    EXPECT_GE(*std::min_element(load.begin(), load.end()), threads / places);
                    EXPECT_LE(*std::max_element(load.begin(), load.end()),
                              (threads + places - 1) / places);
                    // Threads of one place have consecutive numbers.
                    EXPECT_EQ(changes, std::min(threads, places));
                    const bool divided = policy == ProcBind::spread && threads <= places;
                    EXPECT_EQ(std::count(covered.begin(), covered.end(), 1), divided ? places : 0)
                        << "subpartitions divide the partition";
                }
}

} // namespace
} // namespace loomp::core
