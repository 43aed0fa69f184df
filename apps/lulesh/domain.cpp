#include "lulesh/domain.h"

#include "lulesh/geometry.h"
#include "lulesh/regions.h"

#include <cmath>

namespace lulesh {

namespace {

// Length of the whole's edges.
constexpr double kExtent = 1.125;

// Zeros, put there by the threads that loops with a static schedule give the places to.
Array<double> zeros(int count) {
    Array<double> made = make_array<double>(std::size_t(count));
    double *values = made.get();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; ++i)
        values[i] = 0;
    return made;
}

Vectors zero_vectors(int count) { return {zeros(count), zeros(count), zeros(count)}; }

void place_nodes(Domain &domain) {
    const int n = domain.nodes_of_edge();
    const Place &place = domain.setup.place;
    const auto coordinate = [&](int axis, int at) {
        return kExtent * double(place.along[axis] * domain.setup.edge + at) /
               double(place.side * domain.setup.edge);
    };
    int node = 0;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i, ++node) {
                domain.position.x[node] = coordinate(0, i);
                domain.position.y[node] = coordinate(1, j);
                domain.position.z[node] = coordinate(2, k);
                const int along[3] = {i, j, k};
                for (int axis = 0; axis < 3; ++axis)
                    if (along[axis] == 0 && place.along[axis] == 0)
                        domain.symmetry_nodes[axis].push_back(node);
            }
}

void name_corners(Domain &domain) {
    const int n = domain.nodes_of_edge();
    const int edge = domain.setup.edge;
    domain.corner_node = make_array<int>(8 * std::size_t(domain.elements));
    int *corner = domain.corner_node.get();
    for (int k = 0; k < edge; ++k)
        for (int j = 0; j < edge; ++j)
            for (int i = 0; i < edge; ++i)
                for (int level = 0; level < 2; ++level) {
                    const int lowest = ((k + level) * n + j) * n + i;
                    *corner++ = lowest;
                    *corner++ = lowest + 1;
                    *corner++ = lowest + n + 1;
                    *corner++ = lowest + n;
                }
}

void list_corners_of_nodes(Domain &domain) {
    const int corners = 8 * domain.elements;
    domain.node_start = make_array<int>(std::size_t(domain.nodes) + 1);
    domain.node_corner = make_array<int>(std::size_t(corners));
    std::vector<int> next(std::size_t(domain.nodes) + 1, 0);
    for (int c = 0; c < corners; ++c)
        ++next[std::size_t(domain.corner_node[c]) + 1];
    for (std::size_t node = 1; node < next.size(); ++node)
        next[node] += next[node - 1];
    for (std::size_t node = 0; node < next.size(); ++node)
        domain.node_start[node] = next[node];
    for (int c = 0; c < corners; ++c)
        domain.node_corner[next[std::size_t(domain.corner_node[c])]++] = c;
}

// `axis` says along which axis of the cube the direction goes, `others` where the elements of the
// ranks before and after begin.
void connect(Domain &domain, Direction &direction, int axis, int &others) {
    const int edge = domain.setup.edge;
    const int face = edge * edge;
    const Place &place = domain.setup.place;
    const auto count = std::size_t(domain.elements);
    direction.before = make_array<int>(count);
    direction.after = make_array<int>(count);
    direction.beyond_before = make_array<Beyond>(count);
    direction.beyond_after = make_array<Beyond>(count);
    const bool other_before = place.has(axis, -1);
    const bool other_after = place.has(axis, 1);
    const int before = others;
    const int after = before + (other_before ? face : 0);
    others = after + (other_after ? face : 0);
    constexpr int kStrides = 3;
    const int strides[kStrides] = {1, edge, face};
    int element = 0;
    for (int k = 0; k < edge; ++k)
        for (int j = 0; j < edge; ++j)
            for (int i = 0; i < edge; ++i, ++element) {
                const int along[3] = {i, j, k};
                const int in_face[3] = {k * edge + j, k * edge + i, j * edge + i};
                const bool first = along[axis] == 0;
                const bool last = along[axis] == edge - 1;
                direction.before[element] = element - strides[axis];
                direction.after[element] = element + strides[axis];
                direction.beyond_before[element] = Beyond::element;
                direction.beyond_after[element] = Beyond::element;
                if (first && other_before)
                    direction.before[element] = before + in_face[axis];
                if (last && other_after)
                    direction.after[element] = after + in_face[axis];
                if (first && !other_before) {
                    direction.before[element] = element;
                    direction.beyond_before[element] = Beyond::symmetry;
                }
                if (last && !other_after) {
                    direction.after[element] = element;
                    direction.beyond_after[element] = Beyond::free;
                }
            }
}

} // namespace

Domain::Domain(const Setup &given)
    : setup(given), elements(given.edge * given.edge * given.edge),
      nodes((given.edge + 1) * (given.edge + 1) * (given.edge + 1)) {
    for (Vectors *field : {&position, &velocity, &acceleration, &force})
        *field = zero_vectors(nodes);
    node_mass = zeros(nodes);
    for (Array<double> *field : {&energy,
                                 &pressure,
                                 &viscosity,
                                 &viscosity_linear,
                                 &viscosity_quadratic,
                                 &volume,
                                 &reference_volume,
                                 &new_volume,
                                 &volume_change,
                                 &expansion,
                                 &length,
                                 &sound_speed,
                                 &mass,
                                 &determinant,
                                 &bounded_volume,
                                 &old_energy,
                                 &old_pressure,
                                 &old_viscosity,
                                 &old_linear,
                                 &old_quadratic,
                                 &change,
                                 &compression,
                                 &half_compression,
                                 &work,
                                 &next_energy,
                                 &next_pressure,
                                 &next_viscosity,
                                 &half_pressure,
                                 &bulk,
                                 &bulk_derivative})
        *field = zeros(elements);
    for (Vectors *field : {&stress, &strain_rate})
        *field = zero_vectors(elements);
    for (Vectors *field :
         {&stress_force, &hourglass_force, &corner_position, &corner_volume_derivative})
        *field = zero_vectors(8 * elements);

    place_nodes(*this);
    name_corners(*this);
    list_corners_of_nodes(*this);
    int others = elements;
    connect(*this, xi, 0, others);
    connect(*this, eta, 1, others);
    connect(*this, zeta, 2, others);
    for (Direction *direction : {&xi, &eta, &zeta}) {
        direction->velocity_difference = zeros(others);
        direction->extent = zeros(elements);
    }
    distribute_regions(*this);
}

double bytes_of(int edge) {
    // At the corners four fields of vectors and two lists; of elements 30 fields, two of vectors,
    // and for three directions two fields and two lists. Nodes have less, and are as many.
    constexpr double kOfElement = 8 * (4 * 24.0 + 2 * 4) + 8 * (30 + 6 + 6) + 6 * 5;
    constexpr double kOfNode = 8 * 13.0 + 4;
    return (kOfElement + kOfNode) * edge * edge * edge;
}

void set_masses(Domain &domain) {
    for (int element = 0; element < domain.elements; ++element) {
        const int *nodes = domain.nodes_of(element);
        const double volume = volume_of(at_corners(domain.position.read(), nodes));
        domain.volume[element] = 1;
        domain.reference_volume[element] = volume;
        domain.mass[element] = volume; // the density is 1
        for (int c = 0; c < 8; ++c)
            domain.node_mass[nodes[c]] += volume / 8.0;
    }
}

void set_blast(Domain &domain) {
    // This is right for 45 elements along an edge of the whole.
    constexpr double kEnergy = 3.948746e+7;
    const Place &place = domain.setup.place;
    const double scale = domain.setup.edge * place.side / 45.0;
    const double energy = kEnergy * scale * scale * scale;
    if (place.along[0] == 0 && place.along[1] == 0 && place.along[2] == 0)
        domain.energy[0] = energy;
    domain.step.length = 0.5 * std::cbrt(domain.reference_volume[0]) / std::sqrt(2.0 * energy);
}

} // namespace lulesh
