#include "core/team/victims.h"

#include <atomic>

#include "core/base/made_once.h"
#include "core/environment/topology.h"
#include "core/team/team.h"
#include "core/worker/worker.h"

namespace loomp::core {

namespace {

/// release: the table is complete; acquire by thieves. Lives as long as the process.
std::atomic<const PlaceDistances *> distances{nullptr};
MadeOnce<PlaceDistances> measured;

} // namespace

PlaceDistances::PlaceDistances(const std::vector<Place> &places, int (*distance)(int, int))
    : size_(places.size()), steps_(size_ * size_) {
    for (std::size_t a = 0; a < size_; ++a)
        for (std::size_t b = 0; b < size_; ++b)
            steps_[a * size_ + b] =
                static_cast<std::uint8_t>(distance(places[a].front(), places[b].front()));
}

void measure_places() {
    if (distances.load(std::memory_order_acquire) != nullptr)
        return;
    const PlaceDistances &table = measured.get([] {
        return PlaceDistances(places(),
                              [](int a, int b) { return static_cast<int>(distance(a, b)); });
    });
    distances.store(&table, std::memory_order_release);
}

Member *nearest_victim(const Member &thief, unsigned start, const PlaceDistances *distances) {
    Team &team = *thief.team;
    const auto size = static_cast<unsigned>(team.size);
    Member *nearest = nullptr;
    unsigned steps = ~0u;
    unsigned at = start % size;
    for (unsigned looks = 0; looks < size; ++looks) {
        if (++at >= size)
            at = 0;
        Member *other = team.members[at];
        if (other == &thief || other->ready.looks_empty())
            continue;
        const unsigned away =
            distances == nullptr ? 0 : distances->between(thief.place, other->place);
        if (away < steps) {
            nearest = other;
            steps = away;
            if (away == 0)
                break;
        }
    }
    return nearest;
}

Member *nearest_victim(Worker &worker, const Member &thief) {
    return nearest_victim(thief, worker.random(), distances.load(std::memory_order_acquire));
}

} // namespace loomp::core
