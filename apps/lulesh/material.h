// The equation of state of a gas with gamma = 5/3, as a real material's would be computed: region
// by region, energy, pressure and viscosity in steps. Ranges are of elements in bound_volumes(),
// elsewhere of places in the lists of regions, within one region.
#pragma once

#include "lulesh/domain.h"

namespace lulesh {

void bound_volumes(Domain &domain, Range elements);
void check_volumes(const Domain &domain, Range elements);

// The state before, and the compression at the middle and the end of the time step.
void take_state(Domain &domain, Range places);
void find_compression(Domain &domain, Range places);
void bound_compression_below(Domain &domain, Range places);
void bound_compression_above(Domain &domain, Range places);
void clear_work(Domain &domain, Range places);

// The energy, from a first guess to the end, with the pressure found anew in between.
void guess_energy(Domain &domain, Range places);
void find_bulk(Domain &domain, Range places, bool half_step);
void find_pressure(Domain &domain, Range places, bool half_step);
void correct_by_half_step(Domain &domain, Range places);
void add_work(Domain &domain, Range places);
void correct_by_full_step(Domain &domain, Range places);
void find_viscosity(Domain &domain, Range places);

void put_state(Domain &domain, Range places);
void find_sound_speed(Domain &domain, Range places);

// All of the above from take_state() to find_viscosity(), once, in the order in which they come;
// loop(f) calls f with a range, or with several that are all of what the region has.
template <typename Loop> void evaluate_energy(Domain &domain, Loop loop) {
    const auto pressure = [&](bool half_step) {
        loop([&, half_step](Range places) { find_bulk(domain, places, half_step); });
        loop([&, half_step](Range places) { find_pressure(domain, places, half_step); });
    };
    loop([&](Range places) {
        take_state(domain, places);
        find_compression(domain, places);
        bound_compression_below(domain, places);
        bound_compression_above(domain, places);
        clear_work(domain, places);
    });
    loop([&](Range places) { guess_energy(domain, places); });
    pressure(true);
    loop([&](Range places) { correct_by_half_step(domain, places); });
    loop([&](Range places) { add_work(domain, places); });
    pressure(false);
    loop([&](Range places) { correct_by_full_step(domain, places); });
    pressure(false);
    loop([&](Range places) { find_viscosity(domain, places); });
}

} // namespace lulesh
