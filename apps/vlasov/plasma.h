// The cases: plasmas whose linear waves are known from the dispersion relation, with the grid that
// resolves them, the window in time in which the wave is alone, and what is to be found there.
//
// Rates are those of the field's amplitude; its energy has twice the rate.
#pragma once

#include <string>
#include <vector>

namespace vlasov {

enum class Fit {
    peaks,     // a standing wave: through the maxima of the field's norm, which come twice a period
    mode,      // one wave: the logarithm and the phase of the first mode
    two_peaks, // nonlinear Landau damping: the first two maxima, then the maxima of the window
    none
};

struct Case {
    const char *name;
    const char *what;
    double (*profile)(double v); // f at alpha = 0
    double k;                    // the perturbation's, the box's first mode
    double alpha;                // f = (1 + alpha cos kx) profile(v)
    int nx, nv;
    double v_max;
    double dt, t_end;
    Fit fit;
    double from, to;     // the window
    double omega, gamma; // expected there; of two_peaks, gamma is that after, omega that before
};

const std::vector<Case> &cases();
// Returns null if there is none.
const Case *find_case(const std::string &name);

} // namespace vlasov
