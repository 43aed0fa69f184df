// The time of collectives by hand: a message takes 2 s, and 8 s more for its bytes.
#include <gtest/gtest.h>

#include "profiler/simulation/collective_time.h"

namespace loomp::analysis {

TEST(CollectiveTime, IsThatOfTheFastestAlgorithm) {
    // One tree of 2 levels takes 2 * (2 + 8), in parts 2 * 2 * 2 + 2 * 3/4 * 8.
    EXPECT_EQ(collective_time(CollectiveKind::tree, 4, 2, 8), 20);
    EXPECT_EQ(collective_time(CollectiveKind::reduction, 4, 2, 8), 20);
    // 4 levels: 4 * (2 + 8) in a tree, 2 * 4 * 2 + 2 * 15/16 * 8 in parts.
    EXPECT_EQ(collective_time(CollectiveKind::tree, 16, 2, 8), 40);
    EXPECT_EQ(collective_time(CollectiveKind::reduction, 16, 2, 8), 31);
    // Without bytes, a tree is the fastest.
    EXPECT_EQ(collective_time(CollectiveKind::reduction, 16, 2, 0), 8);
    // Parts double at each level: 2 * 2 + 3/4 * 8.
    EXPECT_EQ(collective_time(CollectiveKind::parts, 4, 2, 8), 10);
    // Pairs of 4 ranks: 3 * 2 + 3/4 * 8. Bruck on 16: 4 * (2 + 4), while pairs take 15 * 2 + 7.5.
    EXPECT_EQ(collective_time(CollectiveKind::all_to_all, 4, 2, 8), 12);
    EXPECT_EQ(collective_time(CollectiveKind::all_to_all, 16, 2, 8), 24);
    // 5 ranks need 3 levels, 1 none.
    EXPECT_EQ(collective_time(CollectiveKind::tree, 5, 2, 8), 30);
    EXPECT_EQ(collective_time(CollectiveKind::tree, 1, 2, 8), 0);
}

TEST(CollectiveTime, DependsOnTheFunction) {
    EXPECT_EQ(collective_kind("MPI_Barrier"), CollectiveKind::tree);
    EXPECT_EQ(collective_kind("MPI_Scan"), CollectiveKind::tree);
    EXPECT_EQ(collective_kind("MPI_Bcast"), CollectiveKind::reduction);
    EXPECT_EQ(collective_kind("MPI_Iallreduce"), CollectiveKind::reduction);
    EXPECT_EQ(collective_kind("MPI_Reduce_scatter_block"), CollectiveKind::parts);
    EXPECT_EQ(collective_kind("MPI_Allgatherv"), CollectiveKind::parts);
    EXPECT_EQ(collective_kind("MPI_Alltoallw"), CollectiveKind::all_to_all);
}

} // namespace loomp::analysis
