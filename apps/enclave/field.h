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

class Field {
  public:
    // All three live longer.
    Field(const Problem &problem, const Mesh &mesh, const Partition &partition);

    void allocate(int cell);
    // When a patch has values: its padding, and its layers of a set.
    void complete(int cell, int set);
    // Returns the largest speed in the patch, or NaN: a value is none.
    double advance(int cell, double time, double length, int set, Scratch &scratch);

    int unknowns() const { return problem_.unknowns; }
    // Makes one of its values a NaN.
    void spoil(int cell);
    double speed(int cell) const;
    const double *values(int cell) const { return patch(cell).values; }
    double *values(int cell) { return patch(cell).values; }
    Frame frame(int cell) const;
    const double *layer(int cell, int face, int set) const { return patch(cell).layers[set][face]; }
    // What comes from other ranks: the layers that partition.received() names, one after another.
    double *received(int set) { return received_[set].data(); }
    std::size_t layer_size() const { return layer_size_; } // in doubles

  private:
    struct Patch {
        std::unique_ptr<double[]> memory;
        double *values;
        std::array<std::array<double *, kFaces>, 2> layers;
        std::array<int, kFaces> place; // among those received, or kOwn
    };
    static constexpr int kOwn = -1;

    Patch &patch(int cell) { return patches_[static_cast<std::size_t>(cell - first_)]; }
    const Patch &patch(int cell) const { return patches_[static_cast<std::size_t>(cell - first_)]; }
    const double *beyond(int cell, int face, int set) const;

    const Problem &problem_;
    const Mesh &mesh_;
    Frame frame_; // of a patch at the origin
    int first_;
    std::size_t layer_size_;
    std::vector<Patch> patches_;
    std::array<std::vector<double>, 2> received_;
};

} // namespace enclave
