#include "vlasov/simulation.h"

#include "common/report.h"
#include "vlasov/ghosts.h"
#include "vlasov/moments.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vlasov {

Simulation::Simulation(const Setup &setup)
    : grid_(setup.grid), dt_(setup.dt),
      tiles_(setup.grid, setup.decomposition, setup.messages_alone),
      field_(setup.grid, setup.dt, setup.solve), advection_(setup.grid, setup.dt),
      sums_(static_cast<std::size_t>(kSums) * static_cast<std::size_t>(setup.grid.nx)) {}

void Simulation::begun() {
#pragma omp parallel for
    for (int t = 0; t < tiles_.count(); ++t)
        sum_rows(grid_, tiles_[t]);
}

void Simulation::add_up() {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (int t = 0; t < tiles_.count(); ++t)
        add_sums(grid_, tiles_[t], sums_);
    apps::ranks::sum(sums_.data(), static_cast<std::int64_t>(sums_.size()));
}

void Simulation::solve() {
    field_.solve(sums_);
    const double most = Advection::farthest(grid_);
    const double kick = advection_.largest_kick(field_.largest());
    const double drift = advection_.largest_drift(field_.largest());
    if (kick < most && drift < most && std::isfinite(field_.history().back().norm))
        return;
    stopped_ = apps::format(
        "t = %g: the field moves f by %g cells along %s in a step: less than %g is possible with "
        "%d ghosts (--dt, --ghosts)",
        field_.history().back().time, kick < most ? drift : kick, kick < most ? "x" : "v", most,
        grid_.ghosts);
    field_.clear();
}

void Simulation::copy(Tile &tile) const { copy_ghosts(tile); }

void Simulation::pack(Tile &tile) const { pack_ghosts(tile); }

void Simulation::advance_centre(Tile &tile) const {
    const int edge = tile.edge;
    const int rim = tile.ghosts;
    if (edge <= 2 * rim)
        return;
    const Region centre{rim, edge - rim, rim, edge - rim};
    advection_.advance(tile, centre, field_.half_step());
    tile.advanced_centre += centre.points();
}

void Simulation::advance_border(Tile &tile) const {
    unpack_ghosts(tile);
    const int edge = tile.edge;
    const int rim = tile.ghosts;
    const auto advance = [&](const Region &region) {
        advection_.advance(tile, region, field_.half_step());
        tile.advanced_border += region.points();
    };
    if (edge <= 2 * rim) {
        advance({0, edge, 0, edge});
        return;
    }
    advance({0, edge, 0, rim});
    advance({0, rim, rim, edge - rim});
    advance({edge - rim, edge, rim, edge - rim});
    advance({0, edge, edge - rim, edge});
}

std::int64_t Simulation::advanced() {
    std::int64_t points = 0;
    for (int t = 0; t < tiles_.count(); ++t)
        points += tiles_[t].advanced_centre + tiles_[t].advanced_border;
    return points;
}

void Simulation::finish(Tile &tile) const {
    tile.current = 1 - tile.current;
    sum_rows(grid_, tile);
}

namespace {

// The hash of a value and of where it lies; mixed as in Steele and others' SplitMix (OOPSLA 2014).
std::uint64_t hash(std::uint64_t place, double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    std::uint64_t z = bits + (place + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

} // namespace

std::string fingerprint(Simulation &simulation) {
    std::uint64_t sum = 0;
    for (int t = 0; t < simulation.tiles().count(); ++t) {
        Tile &tile = simulation.tiles()[t];
        for (int v = 0; v < tile.edge; ++v)
            for (int x = 0; x < tile.edge; ++x)
                sum += hash(static_cast<std::uint64_t>(tile.first_v + v) *
                                    static_cast<std::uint64_t>(simulation.grid().nx) +
                                static_cast<std::uint64_t>(tile.first_x + x),
                            tile.now()[v * tile.stride + x]);
    }
    return apps::checksum(sum);
}

} // namespace vlasov
