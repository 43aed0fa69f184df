#include "enclave/corners.h"

namespace enclave {

Corners::Corners(int across, int dimensions) : across_(across), dimensions_(dimensions) {
    for (int axis = 0; axis < dimensions; ++axis) {
        points_ *= across + 1;
        volumes_ *= across;
    }
}

const char *Corners::topology() const {
    static const char *const kNames[] = {"Polyline", "Quadrilateral", "Hexahedron"};
    return kNames[dimensions_ - 1];
}

void Corners::point(const Frame &frame, int point, double (&at)[3]) const {
    for (int axis = 0; axis < 3; ++axis) {
        at[axis] = frame.low[axis];
        if (axis >= dimensions_)
            continue;
        at[axis] += point % (across_ + 1) * frame.width;
        point /= across_ + 1;
    }
}

int Corners::corner(int volume, int corner) const {
    // Around a square, then around the one above it.
    static constexpr int kSteps[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                         {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    int point = 0;
    int unit = 1;
    for (int axis = 0; axis < dimensions_; ++axis) {
        point += unit * (volume % across_ + kSteps[corner][axis]);
        volume /= across_;
        unit *= across_ + 1;
    }
    return point;
}

} // namespace enclave
