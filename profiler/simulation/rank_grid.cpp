#include "profiler/simulation/rank_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace loomp::analysis {

namespace {

constexpr std::size_t kAxes = 3;

using Place = std::array<Index, kAxes>;
using Offset = std::array<std::int64_t, kAxes>;

Place place_of(const Sides &sides, Index rank) {
    return {rank % sides.along[0], rank / sides.along[0] % sides.along[1],
            rank / sides.along[0] / sides.along[1]};
}

/// The distance on an axis by the shorter way round.
std::int64_t distance(Index from, Index to, Index side) {
    const auto way = static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from);
    const auto all = static_cast<std::int64_t>(side);
    if (2 * way > all)
        return way - all;
    return 2 * way < -all ? way + all : way;
}

Offset offset_of(const Sides &sides, Index from, Index to) {
    const Place a = place_of(sides, from);
    const Place b = place_of(sides, to);
    Offset offset{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
        offset[axis] = distance(a[axis], b[axis], sides.along[axis]);
    return offset;
}

/// The offset without ways around rings.
Offset plain_offset(const Sides &sides, Index from, Index to) {
    const Place a = place_of(sides, from);
    const Place b = place_of(sides, to);
    Offset offset{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
        offset[axis] = static_cast<std::int64_t>(b[axis]) - static_cast<std::int64_t>(a[axis]);
    return offset;
}

enum class Role : std::uint8_t { first, between, last };

Role role_of(Index place, Index side) {
    if (place == 0)
        return Role::first;
    return place + 1 == side ? Role::last : Role::between;
}

/// Equal messages from one rank to another.
struct Flow {
    Index from;
    Index to;
    std::int32_t tag;
    std::size_t count = 0;
};

std::vector<Flow> flows_of(const Trace &trace) {
    std::map<std::tuple<Index, Index, std::int32_t>, std::size_t> counts;
    for (const Message &message : trace.messages) {
        const Request &send = trace.requests[message.send];
        ++counts[{send.rank, trace.requests[message.receive].rank, send.tag}];
    }
    std::vector<Flow> flows;
    flows.reserve(counts.size());
    for (const auto &[name, count] : counts)
        flows.push_back({std::get<0>(name), std::get<1>(name), std::get<2>(name), count});
    return flows;
}

/// The messages of a rank: to or from an offset, with a tag, so many.
using Exchanged = std::vector<std::tuple<bool, Offset, std::int32_t, std::size_t>>;

/// How many offsets the messages have, without ways around rings, which would hide that neighbours
/// are far apart on an axis of three. Nothing if ranks with the same roles exchange other ones.
std::optional<std::size_t> count_offsets(const Sides &sides, const std::vector<Flow> &flows) {
    std::vector<Exchanged> of_rank(sides.ranks());
    std::set<Offset> offsets;
    for (const Flow &flow : flows) {
        const Offset there = offset_of(sides, flow.from, flow.to);
        offsets.insert(plain_offset(sides, flow.from, flow.to));
        of_rank[flow.from].emplace_back(true, there, flow.tag, flow.count);
        of_rank[flow.to].emplace_back(false, offset_of(sides, flow.to, flow.from), flow.tag,
                                      flow.count);
    }
    std::map<std::array<Role, kAxes>, const Exchanged *> of_roles;
    for (Index rank = 0; rank < sides.ranks(); ++rank) {
        std::sort(of_rank[rank].begin(), of_rank[rank].end());
        const Place place = place_of(sides, rank);
        std::array<Role, kAxes> roles{};
        for (std::size_t axis = 0; axis < kAxes; ++axis)
            roles[axis] = role_of(place[axis], sides.along[axis]);
        const auto found = of_roles.emplace(roles, &of_rank[rank]).first;
        if (*found->second != of_rank[rank])
            return {};
    }
    return offsets.size();
}

/// All grids of that many ranks, those with fewer axes first.
std::vector<Sides> grids_of(Index ranks) {
    std::vector<Sides> grids{{{ranks, 1, 1}}};
    for (Index x = 2; x < ranks; ++x)
        if (ranks % x == 0)
            grids.push_back({{x, ranks / x, 1}});
    for (Index x = 2; x < ranks; ++x)
        for (Index y = 2; ranks % x == 0 && y < ranks / x; ++y)
            if (ranks / x % y == 0)
                grids.push_back({{x, y, ranks / x / y}});
    return grids;
}

constexpr std::array<const char *, kAxes> kAxisNames{"x", "y", "z"};

} // namespace

std::string Sides::text() const {
    std::size_t axes = kAxes;
    while (axes > 1 && along[axes - 1] == 1)
        --axes;
    std::string text = std::to_string(along[0]);
    for (std::size_t axis = 1; axis < axes; ++axis)
        text += " x " + std::to_string(along[axis]);
    return text;
}

std::optional<Sides> find_grid(const Trace &trace) {
    const std::vector<Flow> flows = flows_of(trace);
    std::optional<Sides> best;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const Sides &sides : grids_of(trace.ranks)) {
        const std::optional<std::size_t> offsets = count_offsets(sides, flows);
        if (!offsets || *offsets >= fewest)
            continue;
        best = sides;
        fewest = *offsets;
    }
    return best;
}

bool is_corner(const Sides &sides, Index rank) {
    const Place place = place_of(sides, rank);
    for (std::size_t axis = 0; axis < kAxes; ++axis)
        if (role_of(place[axis], sides.along[axis]) == Role::between)
            return false;
    return true;
}

std::optional<Sides> continue_grid(const Sides &recorded, Index ranks) {
    std::optional<Sides> best;
    double least = std::numeric_limits<double>::max();
    for (const Sides &sides : grids_of(ranks)) {
        double low = std::numeric_limits<double>::max();
        double high = 0;
        bool keeps = true;
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            if (recorded.along[axis] == 1) {
                keeps = keeps && sides.along[axis] == 1;
                continue;
            }
            // A line may become one rank; a grid does not become a line.
            keeps = keeps && (sides.along[axis] > 1 || recorded.along[1] == 1);
            const double growth =
                static_cast<double>(sides.along[axis]) / static_cast<double>(recorded.along[axis]);
            low = std::min(low, growth);
            high = std::max(high, growth);
        }
        // A trace of one rank has no axis: its copies are a line.
        if (recorded.ranks() == 1)
            keeps = sides.along[1] == 1;
        if (keeps && (high == 0 || high / low < least)) {
            best = sides;
            least = high == 0 ? 1 : high / low;
        }
    }
    return best;
}

Index GridCopy::model_of(Index rank) const {
    const Place place = place_of(made_, rank);
    Place model{};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const Index side = recorded_.along[axis];
        if (side == made_.along[axis])
            model[axis] = place[axis];
        else if (place[axis] == 0 || side == 1)
            model[axis] = 0;
        else if (place[axis] + 1 == made_.along[axis])
            model[axis] = side - 1;
        else // without messages, two ranks are alike
            model[axis] = side == 2 ? place[axis] % 2 : 1 + (place[axis] - 1) % (side - 2);
    }
    return (model[2] * recorded_.along[1] + model[1]) * recorded_.along[0] + model[0];
}

Index GridCopy::peer_of(Index rank, Index model, Index peer) const {
    const Offset offset = offset_of(recorded_, model, peer);
    Place place = place_of(made_, rank);
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const auto side = static_cast<std::int64_t>(made_.along[axis]);
        const std::int64_t at = (static_cast<std::int64_t>(place[axis]) + offset[axis]) % side;
        place[axis] = static_cast<Index>(at < 0 ? at + side : at);
    }
    return (place[2] * made_.along[1] + place[1]) * made_.along[0] + place[0];
}

std::string GridCopy::missing_roles(const Trace &trace) const {
    if (trace.messages.empty())
        return {};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const Index side = recorded_.along[axis];
        const Index made = made_.along[axis];
        if (side == made)
            continue;
        const std::string along = std::to_string(side) + " along " + kAxisNames[axis] +
                                  " in the trace's grid of " + recorded_.text();
        if (side < 3)
            return "ranks between others are copied, and there are none among " + along +
                   ": it takes a trace of three or more along it, or of as many ranks as you need";
        if (made < 2)
            return "there are " + along + ", and new ones cannot lie along fewer axes";
        const bool ring =
            std::any_of(trace.messages.begin(), trace.messages.end(), [&](const Message &message) {
                const Index from = trace.requests[message.send].rank;
                const Index to = trace.requests[message.receive].rank;
                return offset_of(recorded_, from, to)[axis] !=
                       plain_offset(recorded_, from, to)[axis];
            });
        if (ring && made < 3)
            return "there are " + along + ", which are a ring: three are its fewest";
    }
    return {};
}

} // namespace loomp::analysis
