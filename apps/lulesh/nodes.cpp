#include "lulesh/nodes.h"

#include <cmath>

namespace lulesh {

namespace {

constexpr double kSmallestVelocity = 1e-7;

// f(sum of the values at the node's corners) for each node.
template <typename F>
void over_sums(const Domain &domain, Range nodes, const Vectors &values, F f) {
    const int *start = domain.node_start.get();
    const int *corner = domain.node_corner.get();
    const double *x = values.x.get();
    const double *y = values.y.get();
    const double *z = values.z.get();
    for (int node = nodes.first; node < nodes.last; ++node) {
        double sum_x = 0;
        double sum_y = 0;
        double sum_z = 0;
        for (int at = start[node]; at < start[node + 1]; ++at) {
            sum_x += x[corner[at]];
            sum_y += y[corner[at]];
            sum_z += z[corner[at]];
        }
        f(node, sum_x, sum_y, sum_z);
    }
}

void move_velocity(double *velocity, const double *acceleration, double dt, Range nodes) {
    for (int node = nodes.first; node < nodes.last; ++node) {
        const double next = velocity[node] + acceleration[node] * dt;
        velocity[node] = std::fabs(next) < kSmallestVelocity ? 0.0 : next;
    }
}

} // namespace

void clear_forces(Domain &domain, Range nodes) {
    double *x = domain.force.x.get();
    double *y = domain.force.y.get();
    double *z = domain.force.z.get();
    for (int node = nodes.first; node < nodes.last; ++node) {
        x[node] = 0;
        y[node] = 0;
        z[node] = 0;
    }
}

void gather_stress_forces(Domain &domain, Range nodes) {
    double *fx = domain.force.x.get();
    double *fy = domain.force.y.get();
    double *fz = domain.force.z.get();
    over_sums(domain, nodes, domain.stress_force, [=](int node, double x, double y, double z) {
        fx[node] = x;
        fy[node] = y;
        fz[node] = z;
    });
}

void gather_hourglass_forces(Domain &domain, Range nodes) {
    double *fx = domain.force.x.get();
    double *fy = domain.force.y.get();
    double *fz = domain.force.z.get();
    over_sums(domain, nodes, domain.hourglass_force, [=](int node, double x, double y, double z) {
        fx[node] += x;
        fy[node] += y;
        fz[node] += z;
    });
}

void accelerate(Domain &domain, Range nodes) {
    const double *mass = domain.node_mass.get();
    const double *fx = domain.force.x.get();
    const double *fy = domain.force.y.get();
    const double *fz = domain.force.z.get();
    double *x = domain.acceleration.x.get();
    double *y = domain.acceleration.y.get();
    double *z = domain.acceleration.z.get();
    for (int node = nodes.first; node < nodes.last; ++node) {
        x[node] = fx[node] / mass[node];
        y[node] = fy[node] / mass[node];
        z[node] = fz[node] / mass[node];
    }
}

void hold_on_symmetry_plane(Domain &domain, int axis, Range places) {
    const Vectors &vectors = domain.acceleration;
    double *component = (axis == 0 ? vectors.x : axis == 1 ? vectors.y : vectors.z).get();
    const int *node = domain.symmetry_nodes[axis].data();
    for (int at = places.first; at < places.last; ++at)
        component[node[at]] = 0;
}

void move_velocities(Domain &domain, Range nodes) {
    const double dt = domain.step.length;
    move_velocity(domain.velocity.x.get(), domain.acceleration.x.get(), dt, nodes);
    move_velocity(domain.velocity.y.get(), domain.acceleration.y.get(), dt, nodes);
    move_velocity(domain.velocity.z.get(), domain.acceleration.z.get(), dt, nodes);
}

void move_positions(Domain &domain, Range nodes) {
    const double dt = domain.step.length;
    double *x = domain.position.x.get();
    double *y = domain.position.y.get();
    double *z = domain.position.z.get();
    const double *vx = domain.velocity.x.get();
    const double *vy = domain.velocity.y.get();
    const double *vz = domain.velocity.z.get();
    for (int node = nodes.first; node < nodes.last; ++node) {
        x[node] += vx[node] * dt;
        y[node] += vy[node] * dt;
        z[node] += vz[node] * dt;
    }
}

} // namespace lulesh
