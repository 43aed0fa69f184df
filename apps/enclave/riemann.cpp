#include "enclave/riemann.h"

#include "enclave/euler.h"

#include <cmath>

namespace enclave {

namespace {

constexpr double kGamma = Euler::kGamma;

double sound(const Gas &gas) { return std::sqrt(kGamma * gas.pressure / gas.density); }

// How much the velocity changes through the wave beside `gas`, behind which the pressure is p.
double velocity_change(const Gas &gas, double p) {
    if (p > gas.pressure) { // a shock
        const double a = 2 / ((kGamma + 1) * gas.density);
        const double b = (kGamma - 1) / (kGamma + 1) * gas.pressure;
        return (p - gas.pressure) * std::sqrt(a / (p + b));
    }
    const double power = (kGamma - 1) / (2 * kGamma);
    return 2 * sound(gas) / (kGamma - 1) * (std::pow(p / gas.pressure, power) - 1);
}

// The pressure between both waves, by bisection.
double middle_pressure(const Gas &left, const Gas &right) {
    double low = 0;
    double high = 100 * (left.pressure + right.pressure);
    for (int k = 0; k < 200; ++k) {
        const double p = 0.5 * (low + high);
        const double excess =
            velocity_change(left, p) + velocity_change(right, p) + right.velocity - left.velocity;
        (excess < 0 ? low : high) = p;
    }
    return 0.5 * (low + high);
}

// The gas to the left of the contact between both gases.
Gas in_left_wave(const Gas &gas, double p, double u, double speed) {
    const double ratio = p / gas.pressure;
    if (ratio > 1) {
        const double front =
            gas.velocity - sound(gas) * std::sqrt((kGamma + 1) / (2 * kGamma) * ratio +
                                                  (kGamma - 1) / (2 * kGamma));
        if (speed < front)
            return gas;
        const double g = (kGamma - 1) / (kGamma + 1);
        return {gas.density * (ratio + g) / (g * ratio + 1), u, p};
    }
    const double behind = gas.density * std::pow(ratio, 1 / kGamma);
    if (speed < gas.velocity - sound(gas))
        return gas;
    if (speed > u - std::sqrt(kGamma * p / behind))
        return {behind, u, p};
    const double c = (2 * sound(gas) + (kGamma - 1) * (gas.velocity - speed)) / (kGamma + 1);
    const double thinning = c / sound(gas);
    return {gas.density * std::pow(thinning, 2 / (kGamma - 1)), speed + c,
            gas.pressure * std::pow(thinning, 2 * kGamma / (kGamma - 1))};
}

} // namespace

Gas behind_wall(const Gas &left, const Gas &right, double speed) {
    const double p = middle_pressure(left, right);
    const double u = left.velocity - velocity_change(left, p);
    if (speed <= u)
        return in_left_wave(left, p, u, speed);
    Gas mirrored = in_left_wave({right.density, -right.velocity, right.pressure}, p, -u, -speed);
    mirrored.velocity = -mirrored.velocity;
    return mirrored;
}

} // namespace enclave
