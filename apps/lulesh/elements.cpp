#include "lulesh/elements.h"

#include "lulesh/geometry.h"
#include "lulesh/offloadable.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lulesh {

namespace {

// Any thread calls it, perhaps in a task: nothing is waited for, and the launcher ends other ranks.
[[noreturn]] void give_up(const char *what, int element, double value) {
    std::fprintf(stderr, "lulesh: %s of element %d is %g: the mesh has collapsed\n", what, element,
                 value);
    std::_Exit(1);
}

// The four hourglass modes, by corner.
constexpr double kModes[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                 {1, -1, -1, 1, -1, 1, 1, -1},
                                 {1, -1, 1, -1, 1, -1, 1, -1},
                                 {-1, 1, -1, 1, 1, -1, 1, -1}};

// One component of the forces by which the modes' part of a velocity is damped.
void damp(const double (&modes)[4][8], double coefficient, const double *velocity, double *force) {
    double part[4];
    for (int m = 0; m < 4; ++m) {
        part[m] = 0;
        for (int c = 0; c < 8; ++c)
            part[m] += modes[m][c] * velocity[c];
    }
    for (int c = 0; c < 8; ++c)
        force[c] = coefficient * (modes[0][c] * part[0] + modes[1][c] * part[1] +
                                  modes[2][c] * part[2] + modes[3][c] * part[3]);
}

constexpr double kTiny = 1e-36;

// One direction's velocity difference and extent, from its area vector and the step across.
void along(Direction &direction, int element, double volume, Point area, Point velocity) {
    direction.extent[element] = volume / std::sqrt(dot(area, area) + kTiny);
    direction.velocity_difference[element] = dot((1.0 / (volume + kTiny)) * area, velocity);
}

// How alike the differences of the elements before and after are, from 0 to 1.
double slope(const Direction &direction, int element) {
    const double *difference = direction.velocity_difference.get();
    const double own = difference[element];
    const auto other = [&](Beyond beyond, int neighbour) {
        switch (beyond) {
        case Beyond::element:
            return difference[neighbour];
        case Beyond::symmetry:
            return own;
        case Beyond::free:
            break;
        }
        return 0.0;
    };
    const double scale = 1.0 / (own + kTiny);
    const double before =
        other(direction.beyond_before[element], direction.before[element]) * scale;
    const double after = other(direction.beyond_after[element], direction.after[element]) * scale;
    constexpr double limit = 2.0;
    const double mean = 0.5 * (before + after);
    return std::min(std::max(std::min(mean, std::min(limit * before, limit * after)), 0.0), 1.0);
}

} // namespace

void set_stresses(Domain &domain, Range elements) {
    const double *pressure = domain.pressure.get();
    const double *viscosity = domain.viscosity.get();
    double *x = domain.stress.x.get();
    double *y = domain.stress.y.get();
    double *z = domain.stress.z.get();
    for (int e = elements.first; e < elements.last; ++e)
        x[e] = y[e] = z[e] = -pressure[e] - viscosity[e];
}

void integrate_stresses(Domain &domain, Range elements) {
    const StressLoop loop = stress_loop(domain, domain.determinant.get());
    for (int e = elements.first; e < elements.last; ++e)
        loop(e);
}

void check_determinants(const Domain &domain, Range elements) {
    check_determinants(domain.determinant.get(), elements);
}

void check_determinants(const double *determinant, Range elements) {
    for (int e = elements.first; e < elements.last; ++e)
        if (!(determinant[e] > 0))
            give_up("the volume", e, determinant[e]);
}

void prepare_hourglass_control(Domain &domain, Range elements) {
    for (int e = elements.first; e < elements.last; ++e) {
        const Corners at = at_corners(domain.position.read(), domain.nodes_of(e));
        Corners derivatives;
        volume_derivatives(at, derivatives);
        store(derivatives, domain.corner_volume_derivative.get(), e);
        store(at, domain.corner_position.get(), e);
        domain.determinant[e] = domain.reference_volume[e] * domain.volume[e];
        if (!(domain.volume[e] > 0))
            give_up("the relative volume", e, domain.volume[e]);
    }
}

void resist_hourglass_modes(Domain &domain, Range elements) {
    constexpr double kCoefficient = 3.0;
    for (int e = elements.first; e < elements.last; ++e) {
        const std::size_t first = 8 * std::size_t(e);
        const double *x = domain.corner_position.x.get() + first;
        const double *y = domain.corner_position.y.get() + first;
        const double *z = domain.corner_position.z.get() + first;
        const double *dx = domain.corner_volume_derivative.x.get() + first;
        const double *dy = domain.corner_volume_derivative.y.get() + first;
        const double *dz = domain.corner_volume_derivative.z.get() + first;
        const double inverse = 1.0 / domain.determinant[e];
        // The modes less what of them is linear in the position.
        double modes[4][8];
        for (int m = 0; m < 4; ++m) {
            double in_x = 0;
            double in_y = 0;
            double in_z = 0;
            for (int c = 0; c < 8; ++c) {
                in_x += x[c] * kModes[m][c];
                in_y += y[c] * kModes[m][c];
                in_z += z[c] * kModes[m][c];
            }
            for (int c = 0; c < 8; ++c)
                modes[m][c] = kModes[m][c] - inverse * (dx[c] * in_x + dy[c] * in_y + dz[c] * in_z);
        }
        const double coefficient = -kCoefficient * 0.01 * domain.sound_speed[e] * domain.mass[e] /
                                   std::cbrt(domain.determinant[e]);
        const Corners velocity = at_corners(domain.velocity.read(), domain.nodes_of(e));
        damp(modes, coefficient, velocity.x, domain.hourglass_force.x.get() + first);
        damp(modes, coefficient, velocity.y, domain.hourglass_force.y.get() + first);
        damp(modes, coefficient, velocity.z, domain.hourglass_force.z.get() + first);
    }
}

void find_kinematics(Domain &domain, Range elements) {
    const KinematicsLoop loop = kinematics_loop(domain);
    const double step = domain.step.length;
    for (int e = elements.first; e < elements.last; ++e)
        loop(e, step);
}

void find_expansion(Domain &domain, Range elements) {
    double *x = domain.strain_rate.x.get();
    double *y = domain.strain_rate.y.get();
    double *z = domain.strain_rate.z.get();
    for (int e = elements.first; e < elements.last; ++e) {
        const double expansion = x[e] + y[e] + z[e];
        const double third = expansion / 3.0;
        domain.expansion[e] = expansion;
        x[e] -= third;
        y[e] -= third;
        z[e] -= third;
        if (!(domain.new_volume[e] > 0))
            give_up("the new volume", e, domain.new_volume[e]);
    }
}

void find_velocity_differences(Domain &domain, Range elements) {
    constexpr int west[4] = {0, 3, 7, 4};
    constexpr int east[4] = {1, 2, 6, 5};
    constexpr int south[4] = {0, 1, 5, 4};
    constexpr int north[4] = {3, 2, 6, 7};
    constexpr int bottom[4] = {0, 1, 2, 3};
    constexpr int top[4] = {4, 5, 6, 7};
    for (int e = elements.first; e < elements.last; ++e) {
        const int *nodes = domain.nodes_of(e);
        const Corners at = at_corners(domain.position.read(), nodes);
        const Corners velocity = at_corners(domain.velocity.read(), nodes);
        const double volume = domain.reference_volume[e] * domain.new_volume[e];
        const Point i = between(at, east, west);
        const Point j = between(at, north, south);
        const Point k = between(at, top, bottom);
        along(domain.zeta, e, volume, cross(i, j), between(velocity, top, bottom));
        along(domain.xi, e, volume, cross(j, k), between(velocity, east, west));
        along(domain.eta, e, volume, cross(k, i), between(velocity, north, south));
    }
}

void find_viscosity_terms(Domain &domain, Range places) {
    constexpr double kLinear = 0.5;
    constexpr double kQuadratic = 2.0 / 3.0;
    for (int at = places.first; at < places.last; ++at) {
        const int e = domain.region_element[at];
        const double slopes[3] = {slope(domain.xi, e), slope(domain.eta, e), slope(domain.zeta, e)};
        double linear = 0;
        double quadratic = 0;
        if (!(domain.expansion[e] > 0)) {
            const Direction *directions[3] = {&domain.xi, &domain.eta, &domain.zeta};
            for (int d = 0; d < 3; ++d) {
                const double step =
                    std::min(directions[d]->velocity_difference[e] * directions[d]->extent[e], 0.0);
                linear += step * (1.0 - slopes[d]);
                quadratic += step * step * (1.0 - slopes[d] * slopes[d]);
            }
            const double density =
                domain.mass[e] / (domain.reference_volume[e] * domain.new_volume[e]);
            linear *= -kLinear * density;
            quadratic *= kQuadratic * density;
        }
        domain.viscosity_quadratic[e] = quadratic;
        domain.viscosity_linear[e] = linear;
    }
}

void check_viscosities(const Domain &domain, Range elements) {
    constexpr double kLargest = 1e12;
    for (int e = elements.first; e < elements.last; ++e)
        if (domain.viscosity[e] > kLargest)
            give_up("the viscosity", e, domain.viscosity[e]);
}

void update_volumes(Domain &domain, Range elements) {
    constexpr double kClose = 1e-10;
    const double *from = domain.new_volume.get();
    double *volume = domain.volume.get();
    for (int e = elements.first; e < elements.last; ++e)
        volume[e] = std::fabs(from[e] - 1.0) < kClose ? 1.0 : from[e];
}

} // namespace lulesh
