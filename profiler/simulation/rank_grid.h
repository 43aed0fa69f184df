// The ranks of a program as a grid of one, two or three axes, and which of them the ranks of
// another grid copy.
//
// Ranks are numbered along x first, then y, then z. A rank's role on an axis is first, last or
// between. Ranks with the same roles on all axes exchange the same messages with the ranks at the
// same offsets. On an axis that is a ring, the first and the last rank are neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// How many ranks there are along x, y and z.
struct Sides {
    std::array<Index, 3> along{1, 1, 1};

    Index ranks() const { return along[0] * along[1] * along[2]; }
    std::string text() const; ///< such as "4 x 4"; axes of one rank at the end are left out
    bool operator==(const Sides &other) const { return along == other.along; }
};

/// The grid in which the ranks' messages have the fewest offsets; one with fewer axes comes first.
/// Nothing: in no grid do ranks with the same roles exchange the same messages.
std::optional<Sides> find_grid(const Trace &trace);

/// True if the rank is first or last on each axis. A grid of any size has such ranks.
bool is_corner(const Sides &sides, Index rank);

/// The grid of `ranks` ranks whose proportions are closest to those of `recorded`. Axes with one
/// rank keep it. Nothing: there is none.
std::optional<Sides> continue_grid(const Sides &recorded, Index ranks);

/// Each rank of the grid `made` copies one of `recorded` that has the same roles.
class GridCopy {
  public:
    GridCopy(Sides recorded, Sides made) : recorded_(recorded), made_(made) {}

    const Sides &recorded() const { return recorded_; }
    const Sides &made() const { return made_; }
    /// The rank of the recorded grid that a made one copies.
    Index model_of(Index rank) const;
    /// The peer of `rank`, at the offset that `peer` has from the rank's model.
    Index peer_of(Index rank, Index model, Index peer) const;
    /// Explains why the roles of the grid's ranks with messages are not all recorded; empty if
    /// they are.
    std::string missing_roles(const Trace &trace) const;

  private:
    Sides recorded_;
    Sides made_;
};

} // namespace loomp::analysis
