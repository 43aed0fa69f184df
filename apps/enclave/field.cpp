#include "enclave/field.h"

#include <algorithm>
#include <limits>

namespace enclave {

Field::Field(const Problem &problem, const Mesh &mesh, const Partition &partition)
    : problem_(problem), mesh_(mesh),
      frame_{{}, mesh.volume_width(), mesh.shape().across, mesh.shape().dimensions},
      first_(partition.own().first),
      layer_size_(static_cast<std::size_t>(problem.unknowns) * frame_.layer_stride()),
      patches_(static_cast<std::size_t>(partition.own().size())) {
    for (Patch &patch : patches_)
        patch.place.fill(kOwn);
    int place = 0;
    for (const Crossing &crossing : partition.received())
        patch(crossing.cell).place[crossing.face] = place++;
    for (std::vector<double> &layers : received_)
        layers.resize(partition.received().size() * layer_size_);
}

Frame Field::frame(int cell) const {
    Frame frame = frame_;
    frame.low = mesh_[cell].low;
    return frame;
}

void Field::allocate(int cell) {
    Patch &own = patch(cell);
    const std::size_t values = static_cast<std::size_t>(problem_.unknowns) * frame_.stride();
    own.memory.reset(new double[values + 2 * kFaces * layer_size_]);
    own.values = own.memory.get();
    double *next = own.values + values;
    for (auto &layers : own.layers) {
        for (double *&layer : layers) {
            layer = next;
            next += layer_size_;
        }
    }
}

void Field::complete(int cell, int set) {
    Patch &own = patch(cell);
    const Frame where = frame(cell);
    for (int u = 0; u < problem_.unknowns; ++u) {
        double *values = own.values + static_cast<std::ptrdiff_t>(u) * where.stride();
        std::fill(values + where.volumes(), values + where.stride(), values[where.volumes() - 1]);
    }
    problem_.copy_layers(where, own.values, own.layers[set].data());
}

void Field::spoil(int cell) { patch(cell).values[0] = std::numeric_limits<double>::quiet_NaN(); }

double Field::speed(int cell) const { return problem_.speed(frame(cell), values(cell)); }

const double *Field::beyond(int cell, int face, int set) const {
    const int place = patch(cell).place[face];
    if (place != kOwn)
        return received_[set].data() + static_cast<std::size_t>(place) * layer_size_;
    const int other = mesh_[cell].neighbour[face];
    return other == Cell::kNone ? nullptr : layer(other, opposite(face), set);
}

double Field::advance(int cell, double time, double length, int set, Scratch &scratch) {
    Patch &own = patch(cell);
    PatchStep step{frame(cell), time, length, own.values, {}, {}};
    for (int face = 0; face < kFaces; ++face) {
        step.beyond[face] = beyond(cell, face, set);
        step.layers[face] = own.layers[1 - set][face];
    }
    return problem_.advance(step, scratch);
}

} // namespace enclave
