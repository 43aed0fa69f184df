// The victims of an idle member: it steals from one of those whose queues hold something, as near
// on the machine as possible, so that what the task reads comes from a cache that both share. Among
// equally near ones chance decides, or all thieves would meet at the same victim.
//
// Members are as near as their places. Members that are not bound are all equally near.
#pragma once

#include <cstdint>
#include <vector>

#include "core/environment/places.h"

namespace loomp::core {

class Worker;
struct Member;

/// Distances between places, each by its first processor; see Distance in
/// core/environment/topology.h.
class PlaceDistances {
  public:
    /// `distance` of two OS numbers.
    PlaceDistances(const std::vector<Place> &places, int (*distance)(int, int));
    /// 0: as near as can be, or one of them is not bound.
    unsigned between(int place_a, int place_b) const {
        return place_a < 0 || place_b < 0 ? 0
                                          : steps_[static_cast<std::size_t>(place_a) * size_ +
                                                   static_cast<std::size_t>(place_b)];
    }

  private:
    std::size_t size_;
    std::vector<std::uint8_t> steps_; ///< a row a place
};

/// Measures the places if nobody has; before a team of bound members looks for victims. Asks
/// hwloc, so it is not called where the answer could not matter.
void measure_places();

/// Another member of the team whose queue looks filled; null: none does. Of the nearest, the first
/// after number `start`. `distances` null: all are equally near. Any thread.
Member *nearest_victim(const Member &thief, unsigned start, const PlaceDistances *distances);
/// The same with a start by chance, and the distances as measured. By the member's worker.
Member *nearest_victim(Worker &worker, const Member &thief);

} // namespace loomp::core
