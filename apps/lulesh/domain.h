// A rank's part of the Sedov blast wave problem: a cube of hexahedra with a corner at the origin of
// the whole, if the rank is the first one, and all that the scheme keeps at its nodes and elements.
// The cube is known to those who build it only: everything else goes by the lists of nodes,
// neighbours and regions.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace lulesh {

// Storage that is not written when it is made.
template <typename T> using Array = std::unique_ptr<T[]>;

template <typename T> Array<T> make_array(std::size_t count) { return Array<T>(new T[count]); }

struct Range {
    int first;
    int last; // one past

    int size() const { return last - first; }
};

// Pointers to three components.
template <typename T> struct Components {
    T *x, *y, *z;
};

// Three components at each node.
struct Vectors {
    Array<double> x, y, z;

    Components<double> get() { return {x.get(), y.get(), z.get()}; }
    Components<const double> read() const { return {x.get(), y.get(), z.get()}; }
};

// The place of a rank's cube among those of all ranks, in cubes.
struct Place {
    int along[3]; // x, y, z
    int side;     // cubes along an edge of the whole

    bool has(int axis, int step) const {
        const int there = along[axis] + step;
        return there >= 0 && there < side;
    }
};

struct Setup {
    int edge;    // elements along an edge of a rank's cube
    int regions; // materials
    int balance; // the power by which the weights of the regions grow
    int cost;    // what the costly regions cost more
    int rank;    // for the distribution of the regions
    Place place;
};

// The kind of thing beyond a face of an element.
enum class Beyond : unsigned char { element, symmetry, free };

// The elements before and after each along one direction of the mesh, and the velocity's
// difference and the extent in that direction.
struct Direction {
    Array<int> before, after; // elements; those of other ranks come after a rank's own
    Array<Beyond> beyond_before, beyond_after;
    Array<double> velocity_difference; // with room for the elements of other ranks
    Array<double> extent;
};

struct TimeStep {
    double time = 0;
    double length = 0;
    int cycle = 0;
};

constexpr double kEndTime = 1e-2;
constexpr double kLargestGrowth = 1.2; // the growth of a time step, from one to the next

struct Domain {
    explicit Domain(const Setup &setup);

    int nodes_of_edge() const { return setup.edge + 1; }
    const int *nodes_of(int element) const { return &corner_node[8 * std::size_t(element)]; }

    Setup setup;
    int elements;
    int nodes;

    // The mesh. Corners are numbered 8 * element + corner.
    Array<int> corner_node;
    Array<int> node_start;  // nodes + 1: the corners that meet in a node, in `node_corner`
    Array<int> node_corner; // ascending for each node: the order in which forces are added
    std::vector<int> symmetry_nodes[3]; // on the planes x, y, z = 0, ascending
    Direction xi, eta, zeta;

    // The elements of region r: region_element[region_start[r]] and on, ascending.
    std::vector<int> region_start;
    Array<int> region_element;
    std::vector<int> region_repeats; // how often the equation of state is evaluated

    // The nodes' values.
    Vectors position, velocity, acceleration, force;
    Array<double> node_mass;

    // The elements' values.
    Array<double> energy, pressure, viscosity, viscosity_linear, viscosity_quadratic;
    Array<double> volume, reference_volume, new_volume, volume_change; // all but one relative
    Array<double> expansion;                                           // dV/dt / V
    Array<double> length, sound_speed, mass;

    // Temporaries, all of them allocated once. Values by corner:
    Vectors stress_force, hourglass_force, corner_position, corner_volume_derivative;
    // by element:
    Vectors stress, strain_rate;
    Array<double> determinant, bounded_volume;
    // by place in `region_element`:
    Array<double> old_energy, old_pressure, old_viscosity, old_linear, old_quadratic;
    Array<double> change, compression, half_compression, work;
    Array<double> next_energy, next_pressure, next_viscosity, half_pressure;
    Array<double> bulk, bulk_derivative;

    TimeStep step;
};

// About how much a domain takes, in bytes.
double bytes_of(int edge);

// Adds each element's part of its mass to its nodes; those on the frontier lack other ranks' parts.
void set_masses(Domain &domain);
// The energy of the blast, in the element at the origin, and the first time step.
void set_blast(Domain &domain);

} // namespace lulesh
