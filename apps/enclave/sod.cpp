// Sod's shock tube: two gases, of which the left one is denser, set free at t = 0.
//
// Source: G. A. Sod, J. Comput. Phys. 27 (1978).
#include "enclave/euler.h"
#include "enclave/kernel.h"
#include "enclave/riemann.h"

namespace enclave {

namespace {

constexpr Gas kLeft = {1, 0, 1};
constexpr Gas kRight = {0.125, 0, 0.1};
constexpr double kWall = 0.5;

struct Sod : Euler {
    static const Problem kProblem;
    static void start(const Point &at, int, double (&q)[5]) {
        const Gas gas = at[0] < kWall ? kLeft : kRight;
        from_primitive(gas.density, gas.velocity, 0, gas.pressure, q);
    }
    static void exact(const Point &at, double time, int dimensions, double (&q)[5]) {
        if (time == 0)
            return start(at, dimensions, q);
        const Gas gas = behind_wall(kLeft, kRight, (at[0] - kWall) / time);
        from_primitive(gas.density, gas.velocity, 0, gas.pressure, q);
    }
};

const Problem Sod::kProblem = [] {
    Problem problem{};
    problem.name = "sod";
    problem.about = "Euler: Sod's shock tube";
    problem.periodic = false;
    problem.dimensions = 1;
    problem.depth = 4;
    problem.end = 0.2;
    problem.courant = 0.9;
    problem.steep = 2;
    problem.least_order = 0.5;
    problem.most_order = 1.0;
    return problem;
}();

} // namespace

Problem sod() { return Kernel<Sod>::problem(); }

} // namespace enclave
