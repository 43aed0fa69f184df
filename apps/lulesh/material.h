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
void find_half_bulk(Domain &domain, Range places);
void find_half_pressure(Domain &domain, Range places);
void find_bulk(Domain &domain, Range places);
void find_pressure(Domain &domain, Range places);
void correct_by_half_step(Domain &domain, Range places);
void add_work(Domain &domain, Range places);
void correct_by_full_step(Domain &domain, Range places);
void find_viscosity(Domain &domain, Range places);

void put_state(Domain &domain, Range places);
void find_sound_speed(Domain &domain, Range places);

// A loop of the evaluation. It uses at a place what the loops before left at that place.
struct MaterialLoop {
    const char *label;
    void (*body)(Domain &, Range places);
    bool joined; // the parallel loops' form has no barrier before it
};

// The equation of state from take_state() to find_viscosity(), evaluated once.
inline constexpr MaterialLoop kEvaluation[] = {
    {"take state", take_state, false},
    {"compression", find_compression, true},
    {"least compression", bound_compression_below, true},
    {"largest compression", bound_compression_above, true},
    {"clear work", clear_work, true},
    {"guess energy", guess_energy, false},
    {"bulk, half step", find_half_bulk, false},
    {"pressure, half step", find_half_pressure, false},
    {"correct by half step", correct_by_half_step, false},
    {"add work", add_work, false},
    {"bulk", find_bulk, false},
    {"pressure", find_pressure, false},
    {"correct by full step", correct_by_full_step, false},
    {"bulk, again", find_bulk, false},
    {"pressure, again", find_pressure, false},
    {"viscosity", find_viscosity, false}};

} // namespace lulesh
