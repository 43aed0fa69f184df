#include "lulesh/time_step.h"

#include <algorithm>
#include <cmath>

namespace lulesh {

namespace {

constexpr double kLeastGrowth = 1.1; // less is none
constexpr double kLongest = 1e-2;

} // namespace

double courant_time(const Domain &domain, Range places) {
    constexpr double kQuadratic = 2.0;
    constexpr double kFactor = 64.0 * kQuadratic * kQuadratic;
    double least = kUnconstrained;
    for (int at = places.first; at < places.last; ++at) {
        const int e = domain.region_element[at];
        const double expansion = domain.expansion[e];
        const double length = domain.length[e];
        double square = domain.sound_speed[e] * domain.sound_speed[e];
        if (expansion < 0)
            square += kFactor * length * length * expansion * expansion;
        if (expansion != 0)
            least = std::min(least, length / std::sqrt(square));
    }
    return least;
}

double expansion_time(const Domain &domain, Range places) {
    constexpr double kLargestChange = 0.1;
    double least = kUnconstrained;
    for (int at = places.first; at < places.last; ++at) {
        const double expansion = domain.expansion[domain.region_element[at]];
        if (expansion != 0)
            least = std::min(least, kLargestChange / (std::fabs(expansion) + 1e-20));
    }
    return least;
}

double constraint(double courant, double expansion) {
    double allowed = kUnconstrained;
    if (courant < allowed)
        allowed = courant / 2.0;
    if (expansion < allowed)
        allowed = expansion * 2.0 / 3.0;
    return allowed;
}

TimeStep next_step(const TimeStep &step, double constraint) {
    TimeStep next = step;
    if (step.cycle != 0) {
        const double growth = constraint / step.length;
        next.length = constraint;
        if (growth >= 1.0 && growth < kLeastGrowth)
            next.length = step.length;
        else if (growth > kLargestGrowth)
            next.length = step.length * kLargestGrowth;
        next.length = std::min(next.length, kLongest);
    }
    // Two steps of two thirds rather than one whole step and a short one.
    double left = kEndTime - step.time;
    if (left > next.length && left < 4.0 * next.length / 3.0)
        left = 2.0 * next.length / 3.0;
    next.length = std::min(next.length, left);
    next.time += next.length;
    ++next.cycle;
    return next;
}

bool certain_to_come(const TimeStep &step, int cycle) {
    // The steps in between grow by kLargestGrowth each at most; the margin is for rounding.
    double length = step.length;
    double time = step.time;
    for (int k = step.cycle + 1; k < cycle; ++k) {
        length *= kLargestGrowth;
        time += length;
    }
    return time < kEndTime * (1 - 1e-9) || (cycle <= step.cycle + 1 && !ended(step));
}

} // namespace lulesh
