// Depend clauses and their dependences.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "profiler/trace/accesses.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

using enum AccessKind;
using Ends = std::set<std::pair<std::string, std::string>>;

/// Tasks a, b, ... are created in this order, each with some accesses.
Ends dependences(const std::vector<std::vector<std::pair<AccessKind, std::uint64_t>>> &tasks) {
    Events events;
    double now = 0;
    std::string name = "a";
    for (const auto &accesses : tasks) {
        events.create("0.0", ++now, name);
        for (const auto &[kind, location] : accesses)
            events.builder.access(0, events.id(name), kind, location);
        ++name[0];
    }
    const Trace trace = events.take();
    Ends ends;
    for (const Dependence &dependence : trace.dependences)
        ends.emplace(trace.kinds[trace.tasks[dependence.from].kind].label,
                     trace.kinds[trace.tasks[dependence.to].kind].label);
    EXPECT_EQ(ends.size(), trace.dependences.size());
    return ends;
}

TEST(Accesses, ReadersComeAfterTheWriterAndBeforeTheNextOne) {
    EXPECT_EQ(dependences({{{inout, 1}}, {{in, 1}}, {{in, 1}}, {{inout, 1}}, {{inout, 1}}}),
              (Ends{{"a", "b"}, {"a", "c"}, {"b", "d"}, {"c", "d"}, {"d", "e"}}));
}

TEST(Accesses, SomeMayCountAsAnInoutset) {
    Events events;
    events.builder.keep_accesses();
    for (const std::string name : {"a", "b", "c", "d"}) {
        events.create("0.0", 0, name);
        events.builder.access(0, events.id(name), inout, 1);
        if (name == "b") // the same location again
            events.builder.access(0, events.id(name), in, 1);
    }
    const Trace trace = events.take();
    ASSERT_EQ(trace.accesses.size(), 5u);
    EXPECT_EQ(find_dependences(trace).size(), 3u);
    const std::vector<Index> inoutsets = {1, 3}; // b's two accesses, and c's
    std::set<std::pair<Index, Index>> ends;
    for (const Dependence &dependence : find_dependences(trace, inoutsets))
        ends.emplace(dependence.from, dependence.to);
    EXPECT_EQ(ends, (std::set<std::pair<Index, Index>>{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
}

TEST(Accesses, OtherLocationsDoNotMatter) {
    EXPECT_EQ(dependences({{{inout, 1}}, {{inout, 2}}, {{in, 2}}}), (Ends{{"b", "c"}}));
}

TEST(Accesses, MembersOfASetAreNotOrdered) {
    for (const AccessKind set : {inoutset, mutexinoutset})
        EXPECT_EQ(dependences({{{in, 1}}, {{set, 1}}, {{set, 1}}, {{in, 1}}}),
                  (Ends{{"a", "b"}, {"a", "c"}, {"b", "d"}, {"c", "d"}}));
    EXPECT_EQ(dependences({{{inoutset, 1}}, {{mutexinoutset, 1}}}), (Ends{{"a", "b"}}));
}

TEST(Accesses, TwoOfATaskToALocationAreOne) {
    EXPECT_EQ(dependences({{{in, 1}}, {{in, 1}, {inout, 1}}, {{in, 1}, {in, 1}}}),
              (Ends{{"a", "b"}, {"b", "c"}}));
}

TEST(Accesses, TwoLocationsMakeOneDependence) {
    EXPECT_EQ(dependences({{{inout, 1}, {inout, 2}}, {{in, 1}, {in, 2}}}), (Ends{{"a", "b"}}));
}

TEST(Accesses, AllMemoryComesAfterAllAndBeforeAll) {
    EXPECT_EQ(dependences({{{inout, 1}}, {{in, 2}}, {{all_memory, 0}}, {{in, 1}}, {{inout, 3}}}),
              (Ends{{"a", "c"}, {"b", "c"}, {"c", "d"}, {"c", "e"}}));
}

TEST(Accesses, OnlySiblingsDependOnEachOther) {
    Events events;
    events.create("0.0", 0, "parent");
    events.builder.access(0, events.id("parent"), inout, 1);
    events.run("0.0", 1, "parent");
    events.create("0.0", 2, "child");
    events.builder.access(0, events.id("child"), inout, 1);
    EXPECT_TRUE(events.take().dependences.empty());
}

} // namespace
} // namespace loomp::analysis
