// The isentropic vortex, which the stream carries along unchanged.
//
// Source: C.-W. Shu, NASA/CR-97-206253 (1997).
#include "enclave/euler.h"
#include "enclave/kernel.h"

#include <cmath>

namespace enclave {

namespace {

constexpr double kEdge = 10;
constexpr double kStream[2] = {1, 0.5};

struct Vortex : Euler {
    static const Problem kProblem;
    static void start(const Point &at, int dimensions, double (&q)[5]) {
        exact(at, 0, dimensions, q);
    }
    static void exact(const Point &at, double time, int, double (&q)[5]) {
        constexpr double kPi = 3.14159265358979323846;
        constexpr double kStrength = 5;
        double from[2];
        for (int axis = 0; axis < 2; ++axis) {
            from[axis] = at[axis] - kStream[axis] * time;
            from[axis] -= kEdge * std::round(from[axis] / kEdge);
        }
        const double square = from[0] * from[0] + from[1] * from[1];
        const double turn = kStrength / (2 * kPi) * std::exp(0.5 * (1 - square));
        const double temperature = 1 - (kGamma - 1) / (2 * kGamma) * turn * turn;
        const double density = std::pow(temperature, 1 / (kGamma - 1));
        from_primitive(density, kStream[0] - turn * from[1], kStream[1] + turn * from[0],
                       density * temperature, q);
    }
};

const Problem Vortex::kProblem = [] {
    Problem problem{};
    problem.name = "vortex";
    problem.about = "Euler: the isentropic vortex";
    problem.low = {-kEdge / 2, -kEdge / 2, 0};
    problem.edge = kEdge;
    problem.dimensions = 2;
    problem.depth = 3;
    problem.end = 0.2;
    problem.courant = 0.9;
    problem.steep = 0.2;
    problem.least_order = 0.7;
    problem.least_dimensions = 2;
    return problem;
}();

} // namespace

Problem vortex() { return Kernel<Vortex>::problem(); }

} // namespace enclave
