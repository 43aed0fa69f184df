// The two loops over elements that devices may run, too: an element's part of them, by plain
// pointers which are the host's or a device's. Both run the same functions, so they get the same
// numbers.
#pragma once

#include "lulesh/geometry.h"

namespace lulesh {

inline void store(const Corners &corners, Components<double> field, int element) {
    const std::size_t first = 8 * std::size_t(element);
    for (int c = 0; c < 8; ++c) {
        field.x[first + c] = corners.x[c];
        field.y[first + c] = corners.y[c];
        field.z[first + c] = corners.z[c];
    }
}

// The corners' forces of the stress.
struct StressLoop {
    const int *corner_node;
    Components<const double> position;
    Components<const double> stress;
    double *determinant;
    Components<double> force; // by corner

    void operator()(int e) const {
        const Corners at = at_corners(position, corner_node + 8 * std::size_t(e));
        Corners normals;
        determinant[e] = shape_derivatives(at, normals);
        corner_normals(at, normals);
        Corners forces;
        for (int c = 0; c < 8; ++c) {
            forces.x[c] = -(stress.x[e] * normals.x[c]);
            forces.y[c] = -(stress.y[e] * normals.y[c]);
            forces.z[c] = -(stress.z[e] * normals.z[c]);
        }
        store(forces, force, e);
    }
};

// Volumes, lengths and strain after a step of length `step`.
struct KinematicsLoop {
    const int *corner_node;
    Components<const double> position;
    Components<const double> velocity;
    const double *reference_volume;
    const double *volume;
    double *new_volume;
    double *volume_change;
    double *length;
    Components<double> strain_rate;

    void operator()(int e, double step) const {
        const double half_step = 0.5 * step;
        const int *nodes = corner_node + 8 * std::size_t(e);
        Corners at = at_corners(position, nodes);
        const double there = volume_of(at);
        const double relative = there / reference_volume[e];
        new_volume[e] = relative;
        volume_change[e] = relative - volume[e];
        length[e] = characteristic_length(at, there);

        const Corners moving = at_corners(velocity, nodes);
        for (int c = 0; c < 8; ++c) {
            at.x[c] -= half_step * moving.x[c];
            at.y[c] -= half_step * moving.y[c];
            at.z[c] -= half_step * moving.z[c];
        }
        Corners by;
        const double inverse = 1.0 / shape_derivatives(at, by);
        constexpr int across[4] = {6, 7, 4, 5};
        Point rate = {0, 0, 0};
        for (int c = 0; c < 4; ++c) {
            rate.x += by.x[c] * (moving.x[c] - moving.x[across[c]]);
            rate.y += by.y[c] * (moving.y[c] - moving.y[across[c]]);
            rate.z += by.z[c] * (moving.z[c] - moving.z[across[c]]);
        }
        strain_rate.x[e] = inverse * rate.x;
        strain_rate.y[e] = inverse * rate.y;
        strain_rate.z[e] = inverse * rate.z;
    }
};

// The loop on the host. The determinants' place is not the domain's where hourglass control, which
// keeps volumes there, need not wait for the loop.
inline StressLoop stress_loop(Domain &domain, double *determinant) {
    return {domain.corner_node.get(), domain.position.read(), domain.stress.read(), determinant,
            domain.stress_force.get()};
}

inline KinematicsLoop kinematics_loop(Domain &domain) {
    return {domain.corner_node.get(),      domain.position.read(), domain.velocity.read(),
            domain.reference_volume.get(), domain.volume.get(),    domain.new_volume.get(),
            domain.volume_change.get(),    domain.length.get(),    domain.strain_rate.get()};
}

} // namespace lulesh
