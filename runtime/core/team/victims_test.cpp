// A thief's choice of victims, on an invented machine.
#include "runtime/core/team/victims.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "runtime/core/team/team.h"

namespace loomp::core {
namespace {

constexpr int kMembers = 6;

/// Members 0 to 5, each on the place of its number. Places 0 to 2 share a cache, and so do places 3
/// to 5.
class Victims : public testing::Test {
  protected:
    Victims() {
        team_.size = kMembers;
        for (int i = 0; i < kMembers; ++i) {
            team_members_[i] = &members_[i];
            members_[i].team = &team_;
            members_[i].num = i;
            members_[i].place = i;
        }
        team_.members = team_members_;
    }
    ~Victims() override {
        for (Member &member : members_)
            while (member.ready.take() != nullptr)
                ;
    }
    void fill(int member) { members_[member].ready.push(&task_); }
    int choose(int thief, unsigned start, const std::vector<Location> *of_places) {
        const Member *victim = nearest_victim(members_[thief], start, of_places);
        return victim == nullptr ? -1 : victim->num;
    }

    const std::vector<Location> machine_{{0, 0}, {1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 1}};
    Task task_{};
    Team team_;
    Member members_[kMembers];
    Member *team_members_[kMembers];
};

TEST_F(Victims, NobodyWhereNothingIsLeft) {
    fill(1); // the thief's own queue does not count
    for (unsigned start = 0; start < kMembers; ++start)
        EXPECT_EQ(choose(1, start, &machine_), -1);
}

TEST_F(Victims, TheNearestWithTasksWhereverTheLookBegins) {
    fill(0);
    fill(4);
    for (unsigned start = 0; start < 2 * kMembers; ++start) {
        EXPECT_EQ(choose(2, start, &machine_), 0);
        EXPECT_EQ(choose(5, start, &machine_), 4);
    }
}

TEST_F(Victims, FarOnesWhenNothingIsNear) {
    fill(3);
    EXPECT_EQ(choose(1, 0, &machine_), 3);
}

TEST_F(Victims, ChanceDecidesAmongEquallyNearOnes) {
    fill(0);
    fill(2);
    EXPECT_EQ(choose(1, 5, &machine_), 0);
    EXPECT_EQ(choose(1, 0, &machine_), 2);
    // Members are not bound, or not located.
    fill(4);
    EXPECT_EQ(choose(1, 3, nullptr), 4);
    members_[1].place = -1;
    EXPECT_EQ(choose(1, 3, &machine_), 4);
}

} // namespace
} // namespace loomp::core
