// The values of a rank's patches, and the layers at their faces, which neighbours read. There are
// two sets of layers: a step reads one, of the time that it begins at, and writes the other; so
// patches may be advanced in any order, and at the same time.
//
// Thread safety: different patches may be written by different threads. A patch lies near the
// processor of the thread that first writes its values.
#pragma once

#include "enclave/partition.h"
#include "enclave/problem.h"

#include <array>
#include <memory>
#include <vector>

namespace enclave {

struct Step {
    double time;
    double length;
    int set; // the set of the layers that it reads
};

class Field {
  public:
    // All three live longer.
    Field(const Problem &problem, const Mesh &mesh, const Partition &partition);

    void allocate(int cell);
    // When a patch has values: its padding, and its layers of a set.
    void complete(int cell, int set);
    // Advances a patch's values, which may be a copy, and sets its layers. Returns the largest
    // speed in the patch, or NaN: a value is none.
    double advance(int cell, const Step &step, double *values, Kernels kernels, Scratch &scratch);

    int unknowns() const { return problem_.unknowns; }
    // Makes one of its values a NaN.
    void spoil(int cell);
    double speed(int cell) const;
    const double *values(int cell) const { return patch(cell).values; }
    double *values(int cell) { return patch(cell).values; }
    Frame frame(int cell) const;
    const double *layer(int cell, int face, int set) const { return patch(cell).layers[set][face]; }
    // The layers that come from other ranks: partition.received() names them, one after another.
    double *received(int set) { return received_[set].data(); }
    std::size_t patch_size() const { // in doubles
        return static_cast<std::size_t>(problem_.unknowns) * frame_.stride();
    }
    std::size_t layer_size() const { return layer_size_; } // in doubles

  private:
    struct Patch {
        std::unique_ptr<double[]> memory;
        double *values;
        std::array<std::array<double *, kFaces>, 2> layers;
    };
    static constexpr int kReceived = -1;

    Patch &patch(int cell) { return patches_[static_cast<std::size_t>(cell - first_)]; }
    const Patch &patch(int cell) const { return patches_[static_cast<std::size_t>(cell - first_)]; }

    // The layer of the cell beyond a face.
    const double *beyond(int link, int face, int set) const {
        const int source = sources_[static_cast<std::size_t>(link - first_link_)];
        if (source > kReceived)
            return layer(source, opposite(face), set);
        return received_[set].data() + static_cast<std::size_t>(kReceived - source) * layer_size_;
    }
    void find_beyond(int cell, int face, int set, PatchStep &step, Scratch &scratch) const;

    const Problem &problem_;
    const Mesh &mesh_;
    Frame frame_; // the frame of a patch at the origin
    int first_;
    std::size_t layer_size_;
    std::vector<Patch> patches_;
    // For each pair of an own cell's face and a cell beyond it, in the mesh's order from
    // first_link_: the latter's number if it is own; else kReceived less its place among those
    // received.
    std::vector<int> sources_;
    int first_link_;
    std::array<std::vector<double>, 2> received_;
};

} // namespace enclave
