// Sound: dp/dt + K div v = 0, dv/dt + grad p / rho = 0, with K = 4 and rho = 1, as a
// nonconservative product.
#include "enclave/equations.h"
#include "enclave/kernel.h"

#include <cmath>

namespace enclave {

namespace {

constexpr double kBulkModulus = 4;
constexpr double kDensity = 1;
constexpr double kSpeed = 2; // sqrt(K / rho)
constexpr double kImpedance = kDensity * kSpeed;

struct Acoustics : Equations {
    static constexpr int kUnknowns = 4;
    static constexpr const char *kNames[] = {"pressure", "velocity x", "velocity y", "velocity z"};
    static constexpr bool kHasProduct = true;

    template <int axis, class Real>
    static void product(const Real (&)[4], const Real (&dq)[4], Real (&b)[4]) {
        b[0] = dq[1 + axis] * kBulkModulus;
        b[1] = b[2] = b[3] = 0;
        b[1 + axis] = dq[0] * (1 / kDensity);
    }
    template <int axis, class Real> static Real speed(const Real (&)[4]) { return kSpeed; }

    static const Problem kProblem;
    static void start(const Point &at, int dimensions, double (&q)[4]) {
        exact(at, 0, dimensions, q);
    }
    // A plane wave that goes along x.
    static void exact(const Point &at, double time, int, double (&q)[4]) {
        constexpr double kPi = 3.14159265358979323846;
        q[0] = std::sin(2 * kPi * (at[0] - kSpeed * time));
        q[1] = q[0] / kImpedance;
        q[2] = q[3] = 0;
    }
};

const Problem Acoustics::kProblem = [] {
    Problem problem{};
    problem.name = "acoustics";
    problem.about = "a plane wave of sound";
    problem.dimensions = 1;
    problem.depth = 4;
    problem.end = 0.1;
    problem.courant = 0.5;
    problem.steep = 1;
    problem.wave_speed = kSpeed;
    problem.wave_number = 2 * 3.14159265358979323846;
    return problem;
}();

} // namespace

Problem acoustics() { return Kernel<Acoustics>::problem(); }

} // namespace enclave
