#include "enclave/mesh.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <unordered_map>

namespace enclave {

namespace {

// The neighbour's position on the curve; or -1: there is none.
std::int64_t position_beyond(const CellIndex &cell, int face, const CellIndex &count,
                             const Shape &shape) {
    const int axis = axis_of(face);
    CellIndex other = cell;
    other[axis] += face % 2 == 0 ? -1 : 1;
    if (other[axis] < 0 || other[axis] >= count[axis]) {
        if (!shape.periodic)
            return -1;
        other[axis] = (other[axis] + count[axis]) % count[axis];
    }
    return position_on_curve(other, shape.depth);
}

} // namespace

Mesh::Mesh(const Shape &shape) : shape_(shape) {
    const int all = cells_across(shape.depth);
    const CellIndex count = {all, shape.dimensions > 1 ? all : 1, shape.dimensions > 2 ? all : 1};
    for (int z = 0; z < count[2]; ++z)
        for (int y = 0; y < count[1]; ++y)
            for (int x = 0; x < count[0]; ++x)
                cells_.push_back({{x, y, z}, {}, {}});
    const auto position = [&](const Cell &cell) {
        return position_on_curve(cell.index, shape.depth);
    };
    std::sort(cells_.begin(), cells_.end(),
              [&](const Cell &a, const Cell &b) { return position(a) < position(b); });

    std::unordered_map<std::int64_t, int> number;
    for (int cell = 0; cell < size(); ++cell)
        number[position(cells_[cell])] = cell;
    for (Cell &cell : cells_) {
        for (int axis = 0; axis < 3; ++axis)
            cell.low[axis] = shape.low[axis] + cell.index[axis] * cell_width();
        for (int face = 0; face < kFaces; ++face) {
            const std::int64_t beyond = position_beyond(cell.index, face, count, shape);
            cell.neighbour[face] = beyond < 0 ? Cell::kNone : number[beyond];
        }
    }
}

int Mesh::jumps() const {
    int jumps = 0;
    for (int cell = 1; cell < size(); ++cell) {
        int distance = 0;
        for (int axis = 0; axis < 3; ++axis)
            distance += std::abs(cells_[cell].index[axis] - cells_[cell - 1].index[axis]);
        jumps += distance != 1 ? 1 : 0;
    }
    return jumps;
}

} // namespace enclave
