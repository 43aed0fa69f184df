// The space-filling curve of Peano through a cube that is cut into three along each edge, `depth`
// times: it visits each of the 27^depth cells once and goes from each to one that shares a face
// with it. So a piece of the curve is a part of the cube with a short border.
//
// Source: G. Peano, Sur une courbe, qui remplit toute une aire plane, Math. Ann. 36 (1890).
#pragma once

#include <array>
#include <cstdint>

namespace enclave {

using CellIndex = std::array<int, 3>; // along x, y, z, from 0

// 27^12 positions fit well into 64 bits, and a mesh of 3^12 cells an edge into no memory.
inline constexpr int kDeepest = 12;

inline int cells_across(int depth) {
    int cells = 1;
    for (int level = 0; level < depth; ++level)
        cells *= 3;
    return cells;
}

// A mesh of all cells of a depth has this many, in as many dimensions.
inline double cells_of(int depth, int dimensions) {
    double cells = 1;
    for (int level = 0; level < depth * dimensions; ++level)
        cells *= 3;
    return cells;
}

// When the curve comes to the cell, from 0.
std::int64_t position_on_curve(const CellIndex &cell, int depth);

} // namespace enclave
