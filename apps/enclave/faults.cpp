#include "enclave/faults.h"

#include "common/ranks.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace enclave {

namespace ranks = apps::ranks;

void tell_of_not_a_number(const Domain &domain, double time) {
    const Problem &problem = domain.problem;
    const Piece &own = domain.own();
    const std::vector<double> &speeds = domain.traversal.speeds();
    int cell = own.first;
    while (cell < own.last && std::isfinite(speeds[cell - own.first]))
        ++cell;
    const double none = std::numeric_limits<double>::infinity();
    const double first = ranks::least(cell < own.last ? cell : none);
    if (first != cell || cell == own.last)
        return;
    const Frame frame = domain.field.frame(cell);
    for (int volume = 0; volume < frame.volumes(); ++volume) {
        const Point at = frame.centre(volume);
        for (int u = 0; u < problem.unknowns; ++u) {
            const double value = domain.field.values(cell)[u * frame.stride() + volume];
            if (std::isfinite(value))
                continue;
            std::fprintf(stderr,
                         "enclave: t = %g: cell %d, at (%g, %g, %g): %s is %g; a smaller "
                         "--courant may help\n",
                         time, cell, at[0], at[1], at[2], problem.unknown_names[u], value);
            return;
        }
    }
    const Point at = frame.centre(0);
    std::fprintf(stderr,
                 "enclave: t = %g: cell %d, at (%g, %g, %g): the speed of signals is not a number; "
                 "a smaller --courant may help\n",
                 time, cell, at[0], at[1], at[2]);
}

void tell_of_vanishing_step(const Problem &problem, const State &state, double length) {
    if (ranks::first())
        std::fprintf(stderr,
                     "enclave: t = %g: the time step vanishes: %g long, for signals of speed %g; "
                     "the run is %g long\n",
                     state.time, length, state.speed, problem.end);
}

} // namespace enclave
