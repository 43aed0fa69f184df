#include "vlasov/convergence.h"

#include "vlasov/run.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vlasov {

namespace {

constexpr double kTolerance = 0.25; // part of an order
constexpr double kWave = 0.5;

Setup setup(int nx, int nv, double v_max, double dt) {
    Setup made{};
    made.grid.nx = nx;
    made.grid.nv = nv;
    made.grid.length = 2 * M_PI / kWave;
    made.grid.v_max = v_max;
    made.grid.tile = 16;
    std::string why; // nothing: check_convergence() has looked
    made.decomposition = decompose(made.grid, apps::ranks::count(), 0, why);
    made.dt = dt;
    made.solve = Solve::ampere;
    return made;
}

double plasma(double alpha, double x, double v) {
    return (1 + alpha * std::cos(kWave * x)) * std::exp(-v * v / 2) / std::sqrt(2 * M_PI);
}

// How far a foot lies from the points is as important as the spacing; so the kick is a third of a
// coarse cell, which is two thirds of a fine one.
double interpolation_error(int nx, int coarse_nx) {
    constexpr double kStep = 0.04;
    constexpr double kMax = 8;
    constexpr int kSteps = 25;
    Simulation simulation(setup(nx, 2 * nx, kMax, kStep));
    const double field = kMax / coarse_nx / 3 / kStep;
    simulation.set([](double x, double v) { return plasma(0.5, x, v); });
    simulation.field().impose(field);
    run_for(simulation, {0, kSteps, {}});
    const double t = kSteps * kStep;
    double error = 0;
    for (int k = 0; k < simulation.tiles().count(); ++k) {
        Tile &tile = simulation.tiles()[k];
        for (int j = 0; j < tile.edge; ++j)
            for (int i = 0; i < tile.edge; ++i) {
                const double x = simulation.grid().x(tile.first_x + i);
                const double v = simulation.grid().v(tile.first_v + j);
                const double exact = plasma(0.5, x - v * t + field * t * t / 2, v - field * t);
                error = std::max(error, std::fabs(tile.now()[j * tile.stride + i] - exact));
            }
    }
    return apps::ranks::most(error);
}

std::vector<double> field_at_end(int steps) {
    constexpr double kEnd = 3.2;
    Simulation simulation(setup(128, 256, 6, kEnd / steps));
    simulation.set([](double x, double v) { return plasma(0.1, x, v); });
    run_for(simulation, {0, steps, {}});
    simulation.look_at_end();
    return simulation.field().now();
}

double distance(const std::vector<double> &a, const std::vector<double> &b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::fabs(a[i] - b[i]));
    return largest;
}

void compare(const char *what, double coarse, double fine, double expected, apps::Report &report) {
    const double order = std::log2(coarse / fine);
    report.check(what, std::fabs(order - expected) <= kTolerance,
                 apps::format("measured %.2f, expected %g (within %g); %.3e becomes %.3e by half "
                              "the spacing",
                              order, expected, kTolerance, coarse, fine));
}

// The error of the field of a density whose field is known.
double field_error(int nx) {
    Grid grid;
    grid.nx = nx;
    grid.nv = 1;
    grid.v_max = 0.5; // one velocity: the sums over v are the density
    grid.length = 2 * M_PI;
    Field field(grid, 1, Solve::ampere);
    std::vector<double> sums(static_cast<std::size_t>(kSums) * static_cast<std::size_t>(nx));
    const auto exact = [](double x) { return std::sin(x) + std::cos(2 * x); };
    for (int i = 0; i < nx; ++i) {
        const double x = grid.x(i);
        sums[static_cast<std::size_t>(density_high * nx + i)] =
            1 + std::cos(x) - 2 * std::sin(2 * x);
    }
    field.solve(sums);
    double error = 0;
    for (int i = 0; i < nx; ++i)
        error =
            std::max(error, std::fabs(field.now()[static_cast<std::size_t>(i)] - exact(grid.x(i))));
    return error;
}

} // namespace

void check_field(apps::Report &report) {
    constexpr int kCoarse = 32;
    compare("order of field", field_error(kCoarse), field_error(2 * kCoarse), 6, report);
}

void check_convergence(apps::Report &report) {
    constexpr int kCoarse = 64;
    std::string why;
    decompose(setup(kCoarse, 2 * kCoarse, 8, 1).grid, apps::ranks::count(), 0, why);
    if (!why.empty()) {
        report.check("orders", false, why);
        return;
    }
    check_field(report);
    compare("order in space", interpolation_error(kCoarse, kCoarse),
            interpolation_error(2 * kCoarse, kCoarse), 6, report);
    const std::vector<double> half = field_at_end(80);
    compare("order in time", distance(field_at_end(40), half), distance(half, field_at_end(160)), 2,
            report);
}

} // namespace vlasov
