// A patch's volumes as ParaView has them: corners, and which of them are a volume's. In directions
// with one cell only there is neither: volumes are squares, or lines.
#pragma once

#include "enclave/problem.h"

namespace enclave {

class Corners {
  public:
    Corners(int across, int dimensions);

    int points() const { return points_; }   // a patch's points
    int volumes() const { return volumes_; } // a patch's volumes that vary
    int corners() const { return 1 << dimensions_; }
    // The name of one of XDMF's topologies.
    const char *topology() const;

    void point(const Frame &frame, int point, double (&at)[3]) const;
    // The number of a corner of a volume among the patch's points, in the order of VTK.
    int corner(int volume, int corner) const;
    // Which of the varying volumes a volume of the patch is equal to.
    int stand_in(int volume) const { return volume % volumes_; }

  private:
    int across_;
    int dimensions_;
    int points_ = 1;
    int volumes_ = 1;
};

} // namespace enclave
