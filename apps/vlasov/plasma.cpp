#include "vlasov/plasma.h"

#include <cmath>

namespace vlasov {

namespace {

double maxwell(double v, double mean, double temperature) {
    const double u = v - mean;
    return std::exp(-u * u / (2 * temperature)) / std::sqrt(2 * M_PI * temperature);
}

double at_rest(double v) { return maxwell(v, 0, 1); }
double warm_beams(double v) { return 0.5 * (maxwell(v, 2.4, 1) + maxwell(v, -2.4, 1)); }
double cold_beams(double v) { return 0.5 * (maxwell(v, 3, 0.09) + maxwell(v, -3, 0.09)); }
double two_streams(double v) { return v * v * maxwell(v, 0, 1); }
double bump(double v) { return 0.9 * maxwell(v, 0, 1) + 0.1 * maxwell(v, 3.8, 0.2); }
double far_bump(double v) { return 0.9 * maxwell(v, 0, 1) + 0.1 * maxwell(v, 4.5, 0.25); }

} // namespace

// Windows begin when what else the perturbation excites has died away, and end before the wave
// saturates, or the grid's recurrence.
const std::vector<Case> &cases() {
    static const std::vector<Case> all = {
        {"landau", "Landau damping, k = 0.5", at_rest, 0.5, 1e-3, 64, 256, 8, 0.05, 30, Fit::peaks,
         4, 26, 1.415662, -0.153359},
        {"landau-0.4", "Landau damping, k = 0.4", at_rest, 0.4, 1e-3, 64, 256, 8, 0.05, 45,
         Fit::peaks, 5, 42, 1.285057, -0.066128},
        {"landau-0.3", "Landau damping, k = 0.3", at_rest, 0.3, 1e-3, 64, 256, 8, 0.05, 65,
         Fit::peaks, 8, 62, 1.159846, -0.012620},
        {"landau-nonlinear", "nonlinear Landau damping, k = 0.5", at_rest, 0.5, 0.5, 128, 256, 6,
         0.05, 45, Fit::two_peaks, 20, 40, -0.292, 0.0816},
        {"two-beams", "beams at +-2.4, T = 1", warm_beams, 0.2, 1e-6, 64, 256, 10, 0.05, 40,
         Fit::mode, 22, 38, 0, 0.22584},
        {"two-beams-cold", "beams at +-3, thermal velocity 0.3", cold_beams, 0.2, 1e-6, 64, 512, 6,
         0.05, 28, Fit::mode, 16, 27, 0, 0.34909},
        {"two-stream", "v^2 exp(-v^2 / 2)", two_streams, 0.5, 1e-6, 64, 256, 8, 0.05, 36, Fit::mode,
         18, 35, 0, 0.25925},
        {"bump-on-tail", "a bump of 0.1 at 3.8, T = 0.2", bump, 6 * M_PI / 50, 1e-5, 64, 256, 8,
         0.05, 40, Fit::mode, 20, 38, 1.06895, 0.16365},
        {"bump-on-tail-4.5", "a bump of 0.1 at 4.5, T = 0.25", far_bump, 0.3, 1e-5, 64, 256, 9,
         0.05, 35, Fit::mode, 18, 33, 1.00122, 0.19810}};
    return all;
}

const Case *find_case(const std::string &name) {
    for (const Case &known : cases())
        if (name == known.name)
            return &known;
    return nullptr;
}

} // namespace vlasov
