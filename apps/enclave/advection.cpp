// A wave that is carried along: dq/dt + v . grad q = 0.
#include "enclave/equations.h"
#include "enclave/kernel.h"

#include <cmath>

namespace enclave {

namespace {

constexpr double kVelocity[3] = {1.0, 0.5, 0.25};

struct Advection : Equations {
    static constexpr int kUnknowns = 1;
    static constexpr const char *kNames[] = {"q"};
    static constexpr bool kHasFlux = true;

    template <int axis, class Real> static void flux(const Real (&q)[1], Real (&f)[1]) {
        f[0] = q[0] * kVelocity[axis];
    }
    template <int axis, class Real> static Real speed(const Real (&)[1]) { return kVelocity[axis]; }

    static const Problem kProblem;
    static void start(const Point &at, int dimensions, double (&q)[1]) {
        exact(at, 0, dimensions, q);
    }
    static void exact(const Point &at, double time, int dimensions, double (&q)[1]) {
        constexpr double kPi = 3.14159265358979323846;
        q[0] = 1;
        for (int axis = 0; axis < dimensions; ++axis)
            q[0] *= 1 + 0.5 * std::sin(2 * kPi * (at[axis] - kVelocity[axis] * time));
    }
};

const Problem Advection::kProblem = [] {
    Problem problem{};
    problem.name = "advection";
    problem.about = "a wave carried along";
    problem.dimensions = 2;
    problem.depth = 3;
    problem.end = 0.1;
    problem.courant = 0.9;
    problem.steep = 3;
    return problem;
}();

} // namespace

Problem advection() { return Kernel<Advection>::problem(); }

} // namespace enclave
