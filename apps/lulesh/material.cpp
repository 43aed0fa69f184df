#include "lulesh/material.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lulesh {

namespace {

constexpr double kLeastVolume = 1e-9;
constexpr double kLargestVolume = 1e9;
constexpr double kLeastPressure = 0.0;
constexpr double kLeastEnergy = -1e15;
constexpr double kEnergyCut = 1e-7;
constexpr double kPressureCut = 1e-7;
constexpr double kViscosityCut = 1e-7;
constexpr double kGammaMinus1 = 2.0 / 3.0;

double bounded(double volume) { return std::min(std::max(volume, kLeastVolume), kLargestVolume); }

double cut_energy(double energy) {
    if (std::fabs(energy) < kEnergyCut)
        energy = 0;
    return std::max(energy, kLeastEnergy);
}

// The density at rest is 1.
double speed_of_sound(double bulk_derivative, double energy, double volume, double bulk,
                      double pressure) {
    const double square = bulk_derivative * energy + volume * volume * bulk * pressure;
    return square <= .1111111e-36 ? .3333333e-18 : std::sqrt(square);
}

// The speed of sound at the end of the step, with what is known of energy and pressure so far.
double speed_at(const Domain &domain, int at) {
    const double volume = domain.bounded_volume[domain.region_element[at]];
    return speed_of_sound(domain.bulk_derivative[at], domain.next_energy[at], volume,
                          domain.bulk[at], domain.next_pressure[at]);
}

void find_bulk_of(Domain &domain, const double *compression, Range places) {
    for (int at = places.first; at < places.last; ++at) {
        domain.bulk[at] = kGammaMinus1 * (compression[at] + 1.0);
        domain.bulk_derivative[at] = kGammaMinus1;
    }
}

void find_pressure_into(Domain &domain, double *pressure, Range places) {
    for (int at = places.first; at < places.last; ++at) {
        double found = domain.bulk[at] * domain.next_energy[at];
        if (std::fabs(found) < kPressureCut ||
            domain.bounded_volume[domain.region_element[at]] >= kLargestVolume)
            found = 0;
        pressure[at] = std::max(found, kLeastPressure);
    }
}

} // namespace

void bound_volumes(Domain &domain, Range elements) {
    for (int e = elements.first; e < elements.last; ++e)
        domain.bounded_volume[e] = bounded(domain.new_volume[e]);
}

void check_volumes(const Domain &domain, Range elements) {
    for (int e = elements.first; e < elements.last; ++e)
        if (!(bounded(domain.volume[e]) > 0)) {
            std::fprintf(stderr, "lulesh: the volume of element %d is %g\n", e, domain.volume[e]);
            std::_Exit(1);
        }
}

void take_state(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at) {
        const int e = domain.region_element[at];
        domain.old_energy[at] = domain.energy[e];
        domain.change[at] = domain.volume_change[e];
        domain.old_pressure[at] = domain.pressure[e];
        domain.old_viscosity[at] = domain.viscosity[e];
        domain.old_quadratic[at] = domain.viscosity_quadratic[e];
        domain.old_linear[at] = domain.viscosity_linear[e];
    }
}

void find_compression(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at) {
        const double volume = domain.bounded_volume[domain.region_element[at]];
        domain.compression[at] = 1.0 / volume - 1.0;
        domain.half_compression[at] = 1.0 / (volume - 0.5 * domain.change[at]) - 1.0;
    }
}

void bound_compression_below(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at)
        if (domain.bounded_volume[domain.region_element[at]] <= kLeastVolume)
            domain.half_compression[at] = domain.compression[at];
}

void bound_compression_above(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at)
        if (domain.bounded_volume[domain.region_element[at]] >= kLargestVolume) {
            domain.old_pressure[at] = 0;
            domain.compression[at] = 0;
            domain.half_compression[at] = 0;
        }
}

void clear_work(Domain &domain, Range places) {
    std::fill(domain.work.get() + places.first, domain.work.get() + places.last, 0.0);
}

void guess_energy(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at) {
        const double energy =
            domain.old_energy[at] -
            0.5 * domain.change[at] * (domain.old_pressure[at] + domain.old_viscosity[at]) +
            0.5 * domain.work[at];
        domain.next_energy[at] = std::max(energy, kLeastEnergy);
    }
}

void find_half_bulk(Domain &domain, Range places) {
    find_bulk_of(domain, domain.half_compression.get(), places);
}
void find_half_pressure(Domain &domain, Range places) {
    find_pressure_into(domain, domain.half_pressure.get(), places);
}
void find_bulk(Domain &domain, Range places) {
    find_bulk_of(domain, domain.compression.get(), places);
}
void find_pressure(Domain &domain, Range places) {
    find_pressure_into(domain, domain.next_pressure.get(), places);
}

void correct_by_half_step(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at) {
        double viscosity = 0;
        if (!(domain.change[at] > 0)) {
            const double volume = 1.0 / (1.0 + domain.half_compression[at]);
            const double speed = speed_of_sound(domain.bulk_derivative[at], domain.next_energy[at],
                                                volume, domain.bulk[at], domain.half_pressure[at]);
            viscosity = speed * domain.old_linear[at] + domain.old_quadratic[at];
        }
        domain.next_viscosity[at] = viscosity;
        domain.next_energy[at] += 0.5 * domain.change[at] *
                                  (3.0 * (domain.old_pressure[at] + domain.old_viscosity[at]) -
                                   4.0 * (domain.half_pressure[at] + viscosity));
    }
}

void add_work(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at)
        domain.next_energy[at] = cut_energy(domain.next_energy[at] + 0.5 * domain.work[at]);
}

void correct_by_full_step(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at) {
        double viscosity = 0;
        if (!(domain.change[at] > 0))
            viscosity = speed_at(domain, at) * domain.old_linear[at] + domain.old_quadratic[at];
        const double sum = 7.0 * (domain.old_pressure[at] + domain.old_viscosity[at]) -
                           8.0 * (domain.half_pressure[at] + domain.next_viscosity[at]) +
                           (domain.next_pressure[at] + viscosity);
        domain.next_energy[at] =
            cut_energy(domain.next_energy[at] - sum * domain.change[at] * (1.0 / 6.0));
    }
}

void find_viscosity(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at) {
        if (domain.change[at] > 0)
            continue;
        const double viscosity =
            speed_at(domain, at) * domain.old_linear[at] + domain.old_quadratic[at];
        domain.next_viscosity[at] = std::fabs(viscosity) < kViscosityCut ? 0.0 : viscosity;
    }
}

void put_state(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at) {
        const int e = domain.region_element[at];
        domain.pressure[e] = domain.next_pressure[at];
        domain.energy[e] = domain.next_energy[at];
        domain.viscosity[e] = domain.next_viscosity[at];
    }
}

void find_sound_speed(Domain &domain, Range places) {
    for (int at = places.first; at < places.last; ++at)
        domain.sound_speed[domain.region_element[at]] = speed_at(domain, at);
}

} // namespace lulesh
