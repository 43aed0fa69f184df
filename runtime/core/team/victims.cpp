#include "runtime/core/team/victims.h"

#include "platform/atomic.h"

#include "platform/made_once.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

/// The location of each place. release: the list is complete; acquire by thieves. Lives as long as
/// the process.
Atomic<const std::vector<Location> *> locations{nullptr};
MadeOnce<std::vector<Location>> located;

MachineLevel distance_of(int place_a, int place_b, const std::vector<Location> &of_places) {
    if (place_a < 0 || place_b < 0 || place_a == place_b)
        return MachineLevel::thread;
    return distance(of_places[static_cast<std::size_t>(place_a)],
                    of_places[static_cast<std::size_t>(place_b)]);
}

} // namespace

void locate_places() {
    if (locations.load(std::memory_order_acquire) != nullptr)
        return;
    const std::vector<Location> &list = located.get([] {
        std::vector<Location> list;
        for (const Place &place : places())
            list.push_back(location_of(place.front()));
        return list;
    });
    locations.store(&list, std::memory_order_release);
}

Member *nearest_victim(const Member &thief, unsigned start,
                       const std::vector<Location> *of_places) {
    Team &team = *thief.team;
    const auto size = static_cast<unsigned>(team.size);
    Member *nearest = nullptr;
    auto nearest_level = MachineLevel::machine;
    unsigned at = start % size;
    for (unsigned looks = 0; looks < size; ++looks) {
        if (++at >= size)
            at = 0;
        Member *other = team.members[at];
        if (other == &thief || other->ready.looks_empty())
            continue;
        const MachineLevel level = of_places == nullptr
                                       ? MachineLevel::thread
                                       : distance_of(thief.place, other->place, *of_places);
        if (nearest == nullptr || level < nearest_level) {
            nearest = other;
            nearest_level = level;
            if (level == MachineLevel::thread)
                break;
        }
    }
    return nearest;
}

Member *nearest_victim(Worker &worker, const Member &thief) {
    return nearest_victim(thief, worker.random(), locations.load(std::memory_order_acquire));
}

} // namespace loomp::core
