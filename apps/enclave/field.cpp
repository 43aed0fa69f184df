#include "enclave/field.h"

#include <algorithm>
#include <limits>

namespace enclave {

Field::Field(const Problem &problem, const Mesh &mesh, const Partition &partition)
    : problem_(problem), mesh_(mesh), frame_{{}, 0, mesh.shape().across, mesh.shape().dimensions},
      first_(partition.own().first),
      layer_size_(static_cast<std::size_t>(problem.unknowns) * frame_.layer_stride()),
      patches_(static_cast<std::size_t>(partition.own().size())),
      first_link_(mesh.link(partition.own().first, 0)) {
    const Piece &own = partition.own();
    for (int cell = own.first; cell < own.last; ++cell)
        for (int face = 0; face < kFaces; ++face)
            for (const int other : mesh.beyond(cell, face))
                sources_.push_back(
                    own.has(other) ? other : kReceived - partition.place(other, opposite(face)));
    for (std::vector<double> &layers : received_)
        layers.resize(partition.received().size() * layer_size_);
}

Frame Field::frame(int cell) const {
    Frame frame = frame_;
    frame.low = mesh_[cell].low;
    frame.width = mesh_.volume_width(mesh_.level(cell));
    return frame;
}

void Field::allocate(int cell) {
    Patch &own = patch(cell);
    own.memory.reset(new double[patch_size() + 2 * kFaces * layer_size_]);
    own.values = own.memory.get();
    double *next = own.values + patch_size();
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

void Field::find_beyond(int cell, int face, int set, PatchStep &step, Scratch &scratch) const {
    const Beyond cells = mesh_.beyond(cell, face);
    if (cells.size() == 0)
        return;
    const int link = mesh_.link(cell, face);
    const int finer = mesh_.level(cells[0]) - mesh_.level(cell);
    if (finer > 0) {
        for (int child = 0; child < cells.size(); ++child)
            step.finer[face][child] = beyond(link + child, face, set);
        return;
    }
    step.beyond[face] = beyond(link, face, set);
    if (finer == 0)
        return;
    const FaceMap map(frame_.across, frame_.dimensions, axis_of(face));
    const int child = map.child(mesh_[cell].place);
    scratch.beyond.resize(kFaces * layer_size_);
    double *spread = scratch.beyond.data() + static_cast<std::size_t>(face) * layer_size_;
    for (int u = 0; u < problem_.unknowns; ++u) {
        const double *from = step.beyond[face] + u * frame_.layer_stride();
        double *to = spread + u * frame_.layer_stride();
        for (int volume = 0; volume < frame_.layer_stride(); ++volume)
            to[volume] = from[map.coarse(child, volume)];
    }
    step.beyond[face] = spread;
}

double Field::advance(int cell, const Step &step, double *values, Kernels kernels,
                      Scratch &scratch) {
    const Patch &own = patch(cell);
    PatchStep of_patch{frame(cell), step.time, step.length, values, {}, {}, {}, kernels};
    for (int face = 0; face < kFaces; ++face) {
        find_beyond(cell, face, step.set, of_patch, scratch);
        of_patch.layers[face] = own.layers[1 - step.set][face];
    }
    return problem_.advance(of_patch, scratch);
}

} // namespace enclave
