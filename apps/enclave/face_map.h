// How the layers of volumes on both sides of a face lie on each other where one side is a level
// finer: a cell's layer there, and those of the 3 x 3 cells beyond, the face's children; 3 or 1 in
// fewer dimensions, since nothing is cut along the others.
#pragma once

#include "enclave/mesh.h"

namespace enclave {

class FaceMap {
  public:
    static constexpr int kMostChildren = 9;

    FaceMap(int across, int dimensions, int axis)
        : across_(across), low_axis_(axis == 0 ? 1 : 0), high_axis_(axis == 2 ? 1 : 2),
          cuts_low_(low_axis_ < dimensions), cuts_high_(high_axis_ < dimensions) {}

    int children() const { return (cuts_low_ ? 3 : 1) * (cuts_high_ ? 3 : 1); }
    // Which of them a cell is.
    int child(const Place &cell) const {
        return (cuts_low_ ? digit(cell, low_axis_) : 0) +
               (cuts_high_ ? 3 * digit(cell, high_axis_) : 0);
    }
    // The volume of the coarse layer that a volume of a child's layer lies at. Padding, too: what
    // lies there is the last volume again.
    int coarse(int child, int volume) const {
        volume = volume < across_ * across_ ? volume : across_ * across_ - 1;
        const int low = volume % across_;
        const int high = volume / across_;
        return (cuts_low_ ? (child % 3 * across_ + low) / 3 : low) +
               (cuts_high_ ? (child / 3 * across_ + high) / 3 : high) * across_;
    }

  private:
    int across_;
    int low_axis_;
    int high_axis_;
    bool cuts_low_;
    bool cuts_high_;
};

} // namespace enclave
