// The victims of an idle member: it steals from one of those whose queues hold something, as near
// on the machine as possible, so that what the task reads comes from a cache that both share. Among
// equally near ones chance decides, or all thieves would meet at the same victim.
//
// Members are as near as the first processors of their places. Members that are not bound are all
// equally near.
#pragma once

#include <vector>

#include "runtime/core/environment/topology.h"

namespace loomp::core {

class Worker;
struct Member;

/// Locates the places if nobody has; before a team of bound members looks for victims. Asks hwloc,
/// so it is not called where the answer could not matter.
void locate_places();

/// Another member of the team whose queue looks filled; null: none does. Of the nearest, the first
/// after number `start`. `of_places` null: all are equally near. Any thread.
Member *nearest_victim(const Member &thief, unsigned start, const std::vector<Location> *of_places);
/// The nearest victim after a random start, with the places as located. The member's worker calls
/// it.
Member *nearest_victim(Worker &worker, const Member &thief);

} // namespace loomp::core
