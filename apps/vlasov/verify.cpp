#include "vlasov/verify.h"

#include "vlasov/rates.h"

#include <cmath>

namespace vlasov {

namespace {

constexpr double kLinear = 0.01;
constexpr double kNonlinear = 0.02;
// Interpolation is not conservative where the displacement changes from point to point: of a
// resolved f it gains and loses what the scheme's error is, and more once f is finer than the grid.
constexpr double kMass = 1e-4;

void compare(const char *what, bool found, double measured, double expected, double tolerance,
             apps::Report &report) {
    const double off = measured / expected - 1;
    report.check(what, found && std::fabs(off) <= tolerance,
                 found ? apps::format("measured %.6f, expected %.6f, %+.2f%% (at most %g%%)",
                                      measured, expected, 100 * off, 100 * tolerance)
                       : "no wave");
}

} // namespace

void check_run(const std::vector<Moment> &history, apps::Report &report) {
    const double first = history.front().mass;
    report.check("finite", std::isfinite(history.back().norm), "");
    report.check("mass", std::fabs(history.back().mass - first) / first, kMass);
}

void check_points(Simulation &simulation, int steps, apps::Report &report) {
    const Grid &grid = simulation.grid();
    const double advanced = apps::ranks::sum(static_cast<double>(simulation.advanced()));
    const double expected = 1.0 * grid.nx * grid.nv * steps;
    report.check("points", advanced == expected,
                 apps::format("%.0f advanced, %.0f expected", advanced, expected));
}

void check_mass(const Case &plasma, const Grid &grid, const std::vector<Moment> &history,
                apps::Report &report) {
    constexpr double kRounding = 1e-12;
    double density = 0;
    for (int j = 0; j < grid.nv; ++j)
        density += plasma.profile(grid.v(j)) * grid.dv();
    const double expected = density * grid.length;
    report.check("mass at first", std::fabs(history.front().mass / expected - 1), kRounding);
}

void check_rates(const Case &plasma, const std::vector<Moment> &history, apps::Report &report) {
    const double from = plasma.from;
    const double to = plasma.to;
    if (plasma.fit == Fit::two_peaks) {
        const Rates early = fit_first_peaks(history);
        compare("first damping", early.found, early.gamma, plasma.omega, kNonlinear, report);
        const Rates late = fit_peaks(history, from, to);
        compare("growth", late.found, late.gamma, plasma.gamma, kNonlinear, report);
        return;
    }
    const Rates rates =
        plasma.fit == Fit::peaks ? fit_peaks(history, from, to) : fit_mode(history, from, to);
    compare("gamma", rates.found, rates.gamma, plasma.gamma, kLinear, report);
    if (plasma.omega != 0)
        compare("omega", rates.found, rates.omega, plasma.omega, kLinear, report);
}

} // namespace vlasov
