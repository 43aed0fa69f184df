#include "lulesh/offload.h"

#include "loomp/record.h"
#include "lulesh/offloadable.h"

#include <algorithm>
#include <set>

// Defined by build.sh where the program is compiled for devices. Without any, clang leaves out
// updates with their dependences; and gcc 12 fails at iterators in depend clauses of target
// constructs.
#ifndef LULESH_OFFLOAD
#define LULESH_OFFLOAD 0
#endif

namespace lulesh {

namespace {

template <typename T> void map(T *values, std::size_t count) {
#pragma omp target enter data map(to : values[0 : count])
}
template <typename T> void unmap(T *values, std::size_t count) {
#pragma omp target exit data map(delete : values[0 : count])
}

} // namespace

bool Offload::available() { return LULESH_OFFLOAD != 0; }

template <typename Tile>
std::vector<Offload::Part> Offload::cut(const std::vector<Tile> &tiles, Range Tile::*places,
                                        int tasks) {
    const auto count = std::int64_t(tiles.size());
    const std::int64_t parts = std::min<std::int64_t>(tasks, count);
    std::vector<Part> made;
    for (std::int64_t p = 0; p < parts; ++p) {
        const Range range = {int(count * p / parts), int(count * (p + 1) / parts)};
        made.push_back({range,
                        {(tiles[std::size_t(range.first)].*places).first,
                         (tiles[std::size_t(range.last) - 1].*places).last},
                        {}});
    }
    return made;
}

Offload::Offload(Domain &domain, const Tiles &tiles, int tasks)
    : domain_(domain), elements_(cut(tiles.elements, &ElementTile::elements, tasks)),
      nodes_(cut(tiles.nodes, &NodeTile::nodes, tasks)),
      determinant_(make_array<double>(std::size_t(domain.elements))),
      step_length_(make_array<double>(1)), stressed_(tiles.elements.size()),
      copied_(nodes_.size()) {
    for (Part &part : elements_) {
        std::set<int> read;
        for (int t = part.tiles.first; t < part.tiles.last; ++t)
            for (const int tile : tiles.elements[std::size_t(t)].nodes)
                read.insert(int(std::find_if(nodes_.begin(), nodes_.end(),
                                             [=](const Part &p) { return tile < p.tiles.last; }) -
                                nodes_.begin()));
        part.nodes_read.assign(read.begin(), read.end());
    }

    const auto elements = std::size_t(domain.elements);
    const auto with = [this](Vectors &field, std::size_t size) {
        for (double *values : {field.x.get(), field.y.get(), field.z.get()})
            mapped_.push_back({values, size});
    };
    with(domain.position, std::size_t(domain.nodes));
    with(domain.velocity, std::size_t(domain.nodes));
    with(domain.stress, elements);
    with(domain.stress_force, 8 * elements);
    with(domain.strain_rate, elements);
    for (double *values :
         {determinant_.get(), domain.reference_volume.get(), domain.volume.get(),
          domain.new_volume.get(), domain.volume_change.get(), domain.length.get()})
        mapped_.push_back({values, elements});
    mapped_.push_back({step_length_.get(), 1});
    for (const auto &[values, size] : mapped_)
        map(values, size);
    map(domain.corner_node.get(), 8 * elements);
}

Offload::~Offload() {
    for (const auto &[values, size] : mapped_)
        unmap(values, size);
    unmap(domain_.corner_node.get(), 8 * std::size_t(domain_.elements));
}

Offload::Made Offload::copy_step([[maybe_unused]] const TimeStep *step) {
    [[maybe_unused]] double *length = step_length_.get();
    loomp_task_label("step to device");
#pragma omp target update to(length[0 : 1]) nowait depend(in : *step) depend(out : length[0])
    return {1, 2};
}

Offload::Made Offload::copy_nodes([[maybe_unused]] double *node) {
    const Components<double> position = domain_.position.get();
    const Components<double> velocity = domain_.velocity.get();
    [[maybe_unused]] double *x = position.x;
    [[maybe_unused]] double *y = position.y;
    [[maybe_unused]] double *z = position.z;
    [[maybe_unused]] double *vx = velocity.x;
    [[maybe_unused]] double *vy = velocity.y;
    [[maybe_unused]] double *vz = velocity.z;
    [[maybe_unused]] double *copied = copied_.data();
    Made made;
    for (std::size_t p = 0; p < nodes_.size(); ++p) {
        const Range tiles = nodes_[p].tiles;
        [[maybe_unused]] const int first = nodes_[p].places.first;
        [[maybe_unused]] const int size = nodes_[p].places.size();
        loomp_task_label("nodes to device");
#if LULESH_OFFLOAD
#pragma omp target update to(x[first : size], y[first : size], z[first : size])                    \
    to(vx[first : size], vy[first : size], vz[first : size])                                       \
    nowait depend(iterator(int t = tiles.first : tiles.last), in : node[t])                        \
    depend(out : copied[p])
#endif
        ++made.tasks;
        made.dependences += tiles.size() + 1;
    }
    return made;
}

Offload::Made Offload::integrate_stresses([[maybe_unused]] double *stress) {
    const StressLoop loop = stress_loop(domain_, determinant_.get());
    const int *corner_node = loop.corner_node;
    const double *x = loop.position.x;
    const double *y = loop.position.y;
    const double *z = loop.position.z;
    const double *sx = loop.stress.x;
    const double *sy = loop.stress.y;
    const double *sz = loop.stress.z;
    double *determinant = loop.determinant;
    double *fx = loop.force.x;
    double *fy = loop.force.y;
    double *fz = loop.force.z;
    [[maybe_unused]] const double *stressed = stressed_.data();
    [[maybe_unused]] const double *copied = copied_.data();
    Made made;
    for (const Part &part : elements_) {
        const Range tiles = part.tiles;
        const int first = part.places.first;
        const int last = part.places.last;
        [[maybe_unused]] const int size = part.places.size();
        [[maybe_unused]] const int *reads = part.nodes_read.data();
        const int count_reads = int(part.nodes_read.size());
        loomp_task_label("integrate stresses on device");
#if LULESH_OFFLOAD
#pragma omp target teams distribute parallel for nowait map(                                       \
        always, to : sx[first : size], sy[first : size], sz[first : size])                         \
    map(always, from : determinant[first : size])                                                  \
    map(always, from : fx[8 * first : 8 * size], fy[8 * first : 8 * size],                         \
            fz[8 * first : 8 * size])                                                              \
    depend(iterator(int t = tiles.first : tiles.last), in : stressed[t])                           \
    depend(iterator(int j = 0 : count_reads), in : copied[reads[j]])                               \
    depend(iterator(int t = tiles.first : tiles.last), out : stress[t])
#endif
        for (int e = first; e < last; ++e)
            StressLoop{corner_node, {x, y, z}, {sx, sy, sz}, determinant, {fx, fy, fz}}(e);
        ++made.tasks;
        made.dependences += 2 * tiles.size() + count_reads;
    }
    return made;
}

Offload::Made Offload::find_kinematics([[maybe_unused]] double *element) {
    const KinematicsLoop loop = kinematics_loop(domain_);
    const int *corner_node = loop.corner_node;
    const double *x = loop.position.x;
    const double *y = loop.position.y;
    const double *z = loop.position.z;
    const double *vx = loop.velocity.x;
    const double *vy = loop.velocity.y;
    const double *vz = loop.velocity.z;
    const double *reference_volume = loop.reference_volume;
    const double *volume = loop.volume;
    double *new_volume = loop.new_volume;
    double *volume_change = loop.volume_change;
    double *length = loop.length;
    double *rx = loop.strain_rate.x;
    double *ry = loop.strain_rate.y;
    double *rz = loop.strain_rate.z;
    const double *step_length = step_length_.get();
    [[maybe_unused]] const double *copied = copied_.data();
    Made made;
    for (const Part &part : elements_) {
        const Range tiles = part.tiles;
        const int first = part.places.first;
        const int last = part.places.last;
        [[maybe_unused]] const int size = part.places.size();
        [[maybe_unused]] const int *reads = part.nodes_read.data();
        const int count_reads = int(part.nodes_read.size());
        loomp_task_label("kinematics on device");
#if LULESH_OFFLOAD
#pragma omp target teams distribute parallel for nowait map(always, to : volume[first : size])     \
    map(always, from : new_volume[first : size], volume_change[first : size],                      \
            length[first : size])                                                                  \
    map(always, from : rx[first : size], ry[first : size], rz[first : size])                       \
    depend(in : step_length[0]) depend(iterator(int j = 0 : count_reads), in : copied[reads[j]])   \
    depend(iterator(int t = tiles.first : tiles.last), inout : element[t])
#endif
        for (int e = first; e < last; ++e)
            KinematicsLoop{corner_node, {x, y, z},     {vx, vy, vz}, reference_volume, volume,
                           new_volume,  volume_change, length,       {rx, ry, rz}}(e,
                                                                                   step_length[0]);
        ++made.tasks;
        made.dependences += 1 + count_reads + tiles.size();
    }
    return made;
}

} // namespace lulesh
