// The mesh: the cells of a spacetree that cuts a cube into three along each edge, again and again,
// in the order of Peano's curve. All of a level, so far; in one or two dimensions only those cells
// that lie at y = z = 0, or at z = 0.
//
// Never changed once it is made, so any thread may read it.
#pragma once

#include "enclave/peano_curve.h"
#include "enclave/point.h"

#include <array>
#include <cstddef>
#include <vector>

namespace enclave {

inline constexpr int kWidest = 64; // volumes along an edge of a cell

struct Shape {
    int depth;      // how often the cube is cut
    int dimensions; // in which there is more than one cell
    int across;     // finite volumes along an edge of a cell
    Point low;      // the corner of the cube with the lowest coordinates
    double edge;    // of the cube
    bool periodic;  // whether opposite sides of the domain touch
};

struct Cell {
    static constexpr int kNone = -1; // beyond a face is the domain's boundary

    CellIndex index;
    Point low;
    std::array<int, kFaces> neighbour; // beyond each face: a cell's number, or kNone
};

class Mesh {
  public:
    explicit Mesh(const Shape &shape);

    int size() const { return static_cast<int>(cells_.size()); }
    const Cell &operator[](int cell) const { return cells_[static_cast<std::size_t>(cell)]; }
    const Shape &shape() const { return shape_; }
    double cell_width() const { return shape_.edge / cells_across(shape_.depth); }
    double volume_width() const { return cell_width() / shape_.across; }
    // How many pairs of cells that follow each other share no face: 0, or the order is not
    // Peano's.
    int jumps() const;

  private:
    Shape shape_;
    std::vector<Cell> cells_;
};

} // namespace enclave
