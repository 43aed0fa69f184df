// The minimum effective task granularity, of points given and of a trace.
#include <gtest/gtest.h>

#include "analysis/metrics/metg.h"
#include "analysis/support.h"

namespace loomp::analysis {
namespace {

GrainPoint point(double grain, double efficiency) {
    return {.grain = grain, .efficiency = efficiency};
}

TEST(Metg, IsBetweenTheFinestRunThatIsEfficientAndTheNextFiner) {
    // The worked example of docs/metrics.md.
    const std::vector<GrainPoint> points = {point(40, 0.7), point(10, 0.3), point(160, 0.9)};
    const auto half = metg(points, 0.5);
    ASSERT_TRUE(half);
    EXPECT_NEAR(half->grain, 20, 1e-9);
    EXPECT_FALSE(half->at_most);
    EXPECT_EQ(metg(points, 0.7)->grain, 40);
}

TEST(Metg, CanOnlyBeBoundedOrMissing) {
    const std::vector<GrainPoint> points = {point(40, 0.7), point(10, 0.6)};
    EXPECT_EQ(metg(points, 0.5)->grain, 10);
    EXPECT_TRUE(metg(points, 0.5)->at_most);
    EXPECT_FALSE(metg(points, 0.95));
    EXPECT_FALSE(metg({}, 0.5));
}

TEST(Metg, APointIsCodeOverThreadsTimesMakespan) {
    Events events;
    events.task("0.0", 0, 3, "a");
    events.task("0.0", 4, 5, "b");
    events.task("0.1", 0, 2, "c");
    const GrainPoint found = grain_point(events.take());
    EXPECT_EQ(found.tasks, 3u);
    EXPECT_EQ(found.grain, 2e9);
    EXPECT_EQ(found.efficiency, 0.6);
}

} // namespace
} // namespace loomp::analysis
