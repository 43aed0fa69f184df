// A wave of coordinates in flat space, of amplitude 1/10, which goes along x with the speed of
// light: with H = 1 - A sin(2 pi (x - t)) the metric is -H dt^2 + H dx^2 + dy^2 + dz^2, exactly.
//
// Source: M. Alcubierre and others, Class. Quantum Grav. 21 (2004), the gauge wave.
#include "enclave/ccz4.h"
#include "enclave/ccz4_check.h"
#include "enclave/kernel.h"

#include <cmath>

namespace enclave {

namespace {

constexpr double kWaveNumber = 2 * 3.14159265358979323846;

struct GaugeWave : Ccz4 {
    static const Problem kProblem;
    static void start(const Point &at, int dimensions, double (&q)[kUnknowns]) {
        exact(at, 0, dimensions, q);
    }
    static void exact(const Point &at, double time, int, double (&q)[kUnknowns]) {
        constexpr double kAmplitude = 0.1;
        const double phase = kWaveNumber * (at[0] - time);
        const double h = 1 - kAmplitude * std::sin(phase);
        const double slope = -kAmplitude * kWaveNumber * std::cos(phase); // dH/dx = -dH/dt
        const double k_xx = slope / (2 * std::sqrt(h));
        const double trace = k_xx / h;
        const double phi_squared = std::pow(h, -1.0 / 3);
        for (double &value : q)
            value = 0;
        q[kGamma] = phi_squared * h;
        q[kGamma + 3] = q[kGamma + 5] = phi_squared;
        q[kA] = phi_squared * k_xx * (2.0 / 3);
        q[kA + 3] = q[kA + 5] = -phi_squared * trace * (1.0 / 3);
        q[kGammaHat] = 2.0 / 3 * std::pow(h, -5.0 / 3) * slope;
        q[kLapse] = 0.5 * std::log(h);
        q[kLapseSlope] = slope / (2 * h);
        q[kMetricSlope] = std::pow(h, -1.0 / 3) * slope / 3;
        q[kMetricSlope + 3] = q[kMetricSlope + 5] = -std::pow(h, -4.0 / 3) * slope / 6;
        q[kTrace] = trace;
        q[kPhi] = std::log(h) * (-1.0 / 6);
        q[kPhiSlope] = -slope / (6 * h);
    }
};

const Problem GaugeWave::kProblem = [] {
    Problem problem{};
    problem.name = "gauge-wave";
    problem.about = "CCZ4: a wave of coordinates in flat space";
    problem.low = {-0.5, -0.5, -0.5};
    problem.dimensions = 1;
    problem.depth = 2;
    problem.end = 1;
    problem.courant = 0.1;
    problem.observed = kLapse;
    problem.steep = 0.2;
    problem.least_order = 0.3;
    problem.conserves = false;
    problem.wave_speed = 1;
    problem.wave_number = kWaveNumber;
    problem.constraint = kTheta;
    problem.most_violated = 1e-2;
    problem.check_equations = check_ccz4;
    return problem;
}();

} // namespace

Problem gauge_wave() { return Kernel<GaugeWave>::problem(); }

} // namespace enclave
