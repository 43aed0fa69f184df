// Ranks in lines, grids and cubes, and other numbers of them.
#include <gtest/gtest.h>

#include "profiler/simulation/rank_grid.h"
#include "profiler/simulation/ranks.h"
#include "profiler/simulation/simulation.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {

namespace {

using Towards = std::array<int, 3>;

/// In lists of directions, opposite ones are equally far from both ends.
const std::vector<Towards> kFaces{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1},
                                  {0, 0, 1},  {0, 1, 0},  {1, 0, 0}};

std::vector<Towards> all_directions() {
    std::vector<Towards> steps;
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
                if (x != 0 || y != 0 || z != 0)
                    steps.push_back({x, y, z});
    return steps;
}

/// The rank one step away; nothing beyond a wall.
std::optional<Index> neighbour(const Sides &sides, Index rank, const Towards &step, bool ring) {
    const Index places[3] = {rank % sides.along[0], rank / sides.along[0] % sides.along[1],
                             rank / sides.along[0] / sides.along[1]};
    Index at[3];
    for (int axis = 0; axis < 3; ++axis) {
        const int side = static_cast<int>(sides.along[axis]);
        const int place = static_cast<int>(places[axis]) + step[axis];
        if (!ring && (place < 0 || place >= side))
            return {};
        at[axis] = static_cast<Index>((place + side) % side);
    }
    return (at[2] * sides.along[1] + at[1]) * sides.along[0] + at[0];
}

/// Each rank has a task that computes for 1 s for each of its neighbours, sends to them, and
/// receives from them, and one after it that takes 1 s. A message's tag is its direction. `odd`:
/// the rank in the middle sends another message, to the next one.
Trace stencil(const Sides &sides, const std::vector<Towards> &steps, bool ring = false,
              bool odd = false) {
    constexpr int odd_tag = 99;
    const Index middle = sides.ranks() / 2;
    Events events;
    const Index before = events.builder.add_kind("c", "");
    const Index after = events.builder.add_kind("d", "");
    for (Index rank = 0; rank < sides.ranks(); ++rank) {
        const std::string on = std::to_string(rank) + ".0";
        const Index thread = events.thread(on);
        std::vector<std::pair<Index, int>> peers; // and the directions to them
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (const auto peer = neighbour(sides, rank, steps[i], ring))
                peers.emplace_back(*peer, static_cast<int>(i));
        const auto c = static_cast<double>(peers.size());
        events.builder.create(thread, 0, 1, before);
        events.builder.run(thread, 0, 1);
        std::uint64_t request = 0;
        for (const auto &[peer, direction] : peers)
            events.start(on, c, ++request, RequestKind::send, peer, direction);
        if (odd && rank == middle)
            events.start(on, c, ++request, RequestKind::send, middle + 1, odd_tag);
        events.builder.leave(thread, ns(c), Leaving::ended);
        events.builder.create(thread, ns(c), 2, after);
        events.builder.depend(rank, 1, 2);
        events.builder.run(thread, ns(c), 2);
        const int last =
            static_cast<int>(steps.size()) - 1; // that of the opposite is `last` less it
        for (const auto &[peer, direction] : peers) {
            events.start(on, c, ++request, RequestKind::receive, peer, last - direction);
            events.finish(on, c, request);
        }
        if (odd && rank == middle + 1) {
            events.start(on, c, ++request, RequestKind::receive, middle, odd_tag);
            events.finish(on, c, request);
        }
        events.builder.leave(thread, ns(c + 1), Leaving::ended);
    }
    return events.take();
}

std::string grid_of(const Trace &trace) {
    const std::optional<Sides> found = find_grid(trace);
    return found ? found->text() : "none";
}

} // namespace

TEST(RankGrid, IsFoundByTheNeighbours) {
    for (const std::array<Index, 3> along : {std::array<Index, 3>{1, 1, 1},
                                             {2, 1, 1},
                                             {5, 1, 1},
                                             {9, 1, 1},
                                             {2, 2, 1},
                                             {4, 3, 1},
                                             {3, 4, 1},
                                             {3, 3, 1},
                                             {2, 2, 2},
                                             {3, 3, 3},
                                             {2, 3, 4},
                                             {4, 3, 2}}) {
        const Sides sides{along};
        EXPECT_EQ(grid_of(stencil(sides, kFaces)), sides.text());
        EXPECT_EQ(grid_of(stencil(sides, all_directions())), sides.text());
    }
    for (const std::array<Index, 3> along :
         {std::array<Index, 3>{5, 1, 1}, {3, 3, 1}, {4, 3, 1}, {3, 3, 3}}) {
        const Sides sides{along};
        std::vector<Towards> steps;
        for (const Towards &step : kFaces)
            if ((along[1] > 1 || step[1] == 0) && (along[2] > 1 || step[2] == 0))
                steps.push_back(step);
        EXPECT_EQ(grid_of(stencil(sides, steps, true)), sides.text()) << "ring";
    }
}

TEST(RankGrid, KeepsItsProportions) {
    const auto grown = [](std::array<Index, 3> from, Index ranks) {
        const std::optional<Sides> sides = continue_grid(Sides{from}, ranks);
        return sides ? sides->text() : "none";
    };
    EXPECT_EQ(grown({4, 1, 1}, 64), "64");
    EXPECT_EQ(grown({3, 3, 1}, 64), "8 x 8");
    EXPECT_EQ(grown({3, 6, 1}, 128), "8 x 16");
    EXPECT_EQ(grown({3, 3, 3}, 1000), "10 x 10 x 10");
    EXPECT_EQ(grown({3, 3, 3}, 8), "2 x 2 x 2");
    EXPECT_EQ(grown({3, 3, 1}, 7), "none");
    EXPECT_EQ(grown({1, 1, 1}, 6), "6");
}

// Corners of 3 x 3 have 2 neighbours, edges 3, and the one within 4. So 4 x 4 has 48 messages and
// takes 4 + 1 s; its work is 4 * (2 + 1) + 8 * (3 + 1) + 4 * (4 + 1) s. The corners of 2 x 2 take
// 2 + 1 s, and those of 3 x 5 with 2 * (2 * 5 + 4 * 3) messages 4 + 1.
TEST(RankGrid, IsContinuedByRoles) {
    const Trace trace = stencil({{3, 3, 1}}, {{-1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {1, 0, 0}});
    struct Expected {
        Sides sides;
        std::size_t messages;
        double makespan, work;
    };
    for (const auto &[sides, messages, makespan, work] :
         {Expected{{{4, 4, 1}}, 48, 5, 64}, {{{2, 2, 1}}, 8, 3, 12}, {{{3, 5, 1}}, 44, 5, 59}}) {
        const Resized resized = with_ranks(trace, sides);
        ASSERT_TRUE(resized.trace) << resized.reason;
        EXPECT_EQ(resized.trace->messages.size(), messages);
        const Program program = make_resized_program(trace, *resized.trace, told_scaling(trace, 0));
        SimulationOptions options;
        options.task_overhead = 0;
        const Simulation found = simulate(*resized.trace, program, options);
        EXPECT_EQ(found.unfinished, 0u);
        EXPECT_EQ(found.makespan, ns(makespan));
        Time sum = 0;
        for (const SimulatedRank &rank : found.ranks)
            sum += rank.work;
        EXPECT_EQ(sum, ns(work));
    }
    EXPECT_EQ(with_ranks(trace, 16).made.text(), "4 x 4");
}

// A rank of a cube that others surround has 26 neighbours, one in a face 17, in an edge 11, in a
// corner 7: 64 ranks have 8 * 26 + 24 * 17 + 24 * 11 + 8 * 7 messages.
TEST(RankGrid, ContinuesCubes) {
    const Trace trace = stencil({{3, 3, 3}}, all_directions());
    const Resized resized = with_ranks(trace, 64);
    ASSERT_TRUE(resized.trace) << resized.reason;
    EXPECT_EQ(resized.trace->messages.size(), 936u);
    for (const Message &message : resized.trace->messages)
        EXPECT_EQ(resized.trace->requests[message.send].tag,
                  resized.trace->requests[message.receive].tag);
}

TEST(RankGrid, ContinuesRingsInTwoDirections) {
    std::vector<Towards> steps;
    for (const Towards &step : all_directions())
        if (step[2] == 0)
            steps.push_back(step);
    const Trace trace = stencil({{3, 3, 1}}, steps, true);
    const Resized resized = with_ranks(trace, 64);
    ASSERT_TRUE(resized.trace) << resized.reason;
    EXPECT_EQ(resized.made.text(), "8 x 8");
    EXPECT_EQ(resized.trace->messages.size(), 64u * 8);
    EXPECT_EQ(with_ranks(trace, Sides{{2, 3, 1}}).reason,
              "there are 3 along x in the trace's grid of 3 x 3, which are a ring: three are its "
              "fewest");
}

TEST(RankGrid, SaysWhichRolesAreMissing) {
    const Trace corners = stencil({{2, 2, 2}}, all_directions());
    EXPECT_EQ(
        with_ranks(corners, 27).reason,
        "ranks between others are copied, and there are none among 2 along x in the trace's "
        "grid of 2 x 2 x 2: it takes a trace of three or more along it, or of as many ranks as "
        "you need");
    const Trace trace = stencil({{3, 3, 1}}, {{-1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {1, 0, 0}});
    EXPECT_EQ(with_ranks(trace, Sides{{9, 1, 1}}).reason,
              "there are 3 along y in the trace's grid of 3 x 3, and new ones cannot lie along "
              "fewer axes");
    EXPECT_EQ(with_ranks(trace, 7).reason,
              "the trace's ranks are a grid of 3 x 3, and 7 are none with as many axes");
}

TEST(RankGrid, SaysWhereRolesDoNotFitTogether) {
    const Trace trace =
        stencil({{3, 3, 1}}, {{-1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {1, 0, 0}}, false, true);
    EXPECT_EQ(with_ranks(trace, 16).reason,
              "ranks are not alike in a grid of 3 x 3, so record as many as you need; in one of "
              "4 x 4, rank 5 would send 1 messages with tag 99 to rank 6, which would receive 0");
}

// The ranks of two rows of five get from those of their row in turn, as with block-cyclic owners.
TEST(RankGrid, IsNoneOfOwnersInTurn) {
    Events events;
    for (Index rank = 0; rank < 10; ++rank) {
        const std::string on = std::to_string(rank) + ".0";
        events.create(on, 0, "t");
        events.run(on, 0, "t");
        std::uint64_t request = 0;
        for (Index tile = 0; tile < 10; ++tile)
            for (Index column = 0; column < 5; ++column) {
                const Index owner = rank / 5 * 5 + tile % 5;
                const Index reader = rank / 5 * 5 + column;
                if (owner == reader || (owner != rank && reader != rank))
                    continue;
                const bool sends = owner == rank;
                events.start(on, 1, ++request, sends ? RequestKind::send : RequestKind::receive,
                             sends ? reader : owner, static_cast<std::int32_t>(tile));
                if (!sends)
                    events.finish(on, 2, request);
            }
        events.leave(on, 3);
    }
    const Trace trace = events.take();
    EXPECT_EQ(grid_of(trace), "none");
    const std::string reason = with_ranks(trace, 20).reason;
    EXPECT_EQ(reason.find("ranks are alike in no line, grid or cube, so record as many as you "
                          "need; in one of 20, rank "),
              0u)
        << reason;
}

} // namespace loomp::analysis
