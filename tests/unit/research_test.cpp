// What a research build switches off (core/base/research.h): the results stay, the graph changes.
// The build for AddressSanitizer is one; in others only the first test is there.
#include "core/base/research.h"

#include <atomic>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/base/address_hash.h"
#include "core/process/stats.h"
#include "support.h"

namespace loomp::core {
namespace {

TEST(Research, NothingIsSwitchedOffByItself) {
    EXPECT_FALSE(research.keeps_duplicate_edges);
    EXPECT_FALSE(research.no_redirects);
    EXPECT_FALSE(research.discovers_first);
    EXPECT_EQ(research.hash, ResearchHash::folded);
}

TEST(Research, WordsThatSwitchNothingAreReported) {
    const auto said = [](const char *value) {
        setenv("LOOMP_RESEARCH", value, 1);
        testing::internal::CaptureStderr();
        apply_research_switches();
        unsetenv("LOOMP_RESEARCH");
#if LOOMP_RESEARCH
        research = {};
#endif
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(said(""), "");
    EXPECT_EQ(said(",,"), "");
#if LOOMP_RESEARCH
    EXPECT_EQ(said("no-redirects,hash=golden"), "");
    EXPECT_EQ(said("no-redirects,hash=best"),
              "loomp: LOOMP_RESEARCH: 'hash=best' is none of keep-duplicate-edges, no-redirects, "
              "hash=golden, hash=low-bits and discover-first\n");
#else
    EXPECT_EQ(said("no-redirects"), "loomp: LOOMP_RESEARCH: 'no-redirects' needs a research build "
                                    "(cmake -DLOOMP_RESEARCH=ON)\n");
#endif
}

#if LOOMP_RESEARCH

struct Switched {
    explicit Switched(Research switches) { research = switches; }
    ~Switched() { research = {}; }
    Switched(const Switched &) = delete;
    Switched &operator=(const Switched &) = delete;
};

/// Four writers of two locations each, and as many readers of all eight that are not ordered among
/// each other.
DiscoveryStats counted(Research switches) {
    const Switched switched(switches);
    const test::AllTasksQueued queued;
    const DiscoveryStats before = sum_of_stats();
    constexpr int kWriters = 4;
    int data[kWriters][2] = {};
    int all = 0;
    std::atomic<int> sum{0};
    test::in_single(1, [&] {
        for (auto &pair : data)
            test::spawn_task([&pair] { ++pair[0], ++pair[1]; },
                             {test::on(&pair[0], Access::inout), test::on(&pair[1], Access::inout),
                              test::on(&all, Access::inoutset)});
        for (auto &pair : data)
            test::spawn_task([&] { sum += pair[0] + pair[1]; },
                             {test::on(&pair[0], Access::in), test::on(&pair[1], Access::in),
                              test::on(&all, Access::in)});
    });
    EXPECT_EQ(sum.load(), 2 * kWriters);
    DiscoveryStats after = sum_of_stats();
    after.edges_made = after.edges_made - before.edges_made;
    after.edges_merged = after.edges_merged - before.edges_merged;
    after.redirects = after.redirects - before.redirects;
    return after;
}

TEST(Research, DuplicateEdges) {
    // A reader's two locations have one writer.
    const DiscoveryStats usual = counted({});
    EXPECT_EQ(usual.edges_merged, 4u);
    EXPECT_EQ(usual.redirects, 1u);
    EXPECT_EQ(usual.edges_made, 4u + 4 + 4); // to the writer, to the redirect node, and its own
    const DiscoveryStats kept = counted({.keeps_duplicate_edges = true});
    EXPECT_EQ(kept.edges_merged, 0u);
    EXPECT_EQ(kept.edges_made, usual.edges_made + 4);
}

TEST(Research, Redirects) {
    // Each reader comes after the four writers, and names one of them before that; the edges of a
    // task that lie in several blocks may be made twice.
    const DiscoveryStats direct = counted({.no_redirects = true});
    EXPECT_EQ(direct.redirects, 0u);
    EXPECT_GE(direct.edges_made, 4u * 4);
    EXPECT_LE(direct.edges_made, 4u * 4 + 4);
}

TEST(Research, Hashes) {
    for (const ResearchHash hash : {ResearchHash::golden, ResearchHash::low_bits})
        EXPECT_EQ(counted({.hash = hash}).redirects, 1u);
    const Switched switched({.hash = ResearchHash::low_bits});
    // Neighbouring words differ in the highest bit.
    const auto *const word = reinterpret_cast<const void *>(std::uintptr_t{0x1000});
    const auto *const next = reinterpret_cast<const void *>(std::uintptr_t{0x1008});
    EXPECT_EQ(hash_address(word) ^ hash_address(next), std::uint64_t{1} << 63);
}

TEST(Research, DiscoverFirst) {
    const Switched switched({.discovers_first = true});
    for (const int threads : {1, 2, 4}) {
        std::atomic<bool> created{false};
        std::atomic<int> early{0};
        std::atomic<int> ran{0};
        const auto body = [&] {
            early += !created.load();
            ++ran;
        };
        int chain = 0;
        test::in_single(threads, [&] {
            for (int round = 1; round <= 3; ++round) {
                created = false;
                for (int i = 0; i < 2000; ++i) {
                    test::spawn_task(body);
                    test::spawn_task(body, {test::on(&chain, Access::inout)});
                }
                created = true;
                taskwait();
                EXPECT_EQ(ran.load(), round * 4000);
            }
            created = false;
            test::spawn_task(body);
            created = true;
        });
        EXPECT_EQ(ran.load(), 3 * 4000 + 1);
        EXPECT_EQ(early.load(), 0);
    }
}

#endif

} // namespace
} // namespace loomp::core
