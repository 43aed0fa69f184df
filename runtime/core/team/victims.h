// The victims of an idle member. It steals from a member with a non-empty queue, as near on the
// machine as possible. The task's data then comes from a cache that both share. The choice among
// equally near ones is random; otherwise all thieves would choose the same victim.
//
// The distance of members is that of the first processors of their places. All members that are not
// bound are equally near.
#pragma once

#include <vector>

#include "runtime/core/environment/topology.h"

namespace loomp::core {

class Worker;
struct Member;

/// Locates the places if no thread has; called before a team of bound members looks for victims. It
/// loads hwloc, so it is called only if the answer matters.
void locate_places();

/// Returns another member of the team whose queue looks filled; null: there is none. It is the
/// first after number `start` among the nearest. `of_places` null: all are equally near. Any
/// thread.
Member *nearest_victim(const Member &thief, unsigned start, const std::vector<Location> *of_places);
/// Returns the nearest victim after a random start, by the located places. The member's worker
/// calls it.
Member *nearest_victim(Worker &worker, const Member &thief);

} // namespace loomp::core
