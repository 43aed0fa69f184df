// The mesh: cells of a spacetree that cuts a cube into three along each edge, again and again, in
// the order of Peano's curve. All are of one level, or some are cut more often than others; those
// that share a face differ by one level at most. In one or two dimensions only those cells that lie
// at y = z = 0, or at z = 0.
//
// Never changed once it is made, so any thread may read it.
#pragma once

#include "enclave/peano_curve.h"
#include "enclave/point.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace enclave {

inline constexpr int kWidest = 64; // volumes along an edge of a cell

struct Shape {
    int depth;      // how often the cube is cut everywhere
    int finest;     // and at most
    int dimensions; // in which there is more than one cell
    int across;     // finite volumes along an edge of a cell
    Point low;      // the corner of the cube with the lowest coordinates
    double edge;    // the cube's edge
    bool periodic;  // whether opposite sides of the domain touch

    // That a cell is cut into.
    int children() const { return dimensions == 1 ? 3 : dimensions == 2 ? 9 : 27; }
};

// A cell by its place: among the cells of its level, of which there are 3^level along an edge.
struct Place {
    int level;
    CellIndex index;

    bool operator==(const Place &other) const {
        return level == other.level && index == other.index;
    }
    Place parent() const { return {level - 1, {index[0] / 3, index[1] / 3, index[2] / 3}}; }
};
// Which of them a child is along an axis: 0, 1, 2.
inline int digit(const Place &place, int axis) { return place.index[axis] % 3; }
// A cell's children, x running fastest.
std::vector<Place> children(const Place &cell, int dimensions);

struct Cell {
    Place place;
    Point low;
};

// The cells beyond a face: none at the domain's boundary; one of the same level, or of the level
// above; or those of the level below, in the order of FaceMap's children.
class Beyond {
  public:
    Beyond(const int *first, const int *last) : first_(first), last_(last) {}
    const int *begin() const { return first_; }
    const int *end() const { return last_; }
    int size() const { return static_cast<int>(last_ - first_); }
    int operator[](int k) const { return first_[k]; }

  private:
    const int *first_;
    const int *last_;
};

class Mesh {
  public:
    // All cells of the shape's depth.
    explicit Mesh(const Shape &shape);
    // These, in any order; they tile the domain, and those that share a face differ by one level at
    // most.
    Mesh(const Shape &shape, const std::vector<Place> &cells);

    int size() const { return static_cast<int>(cells_.size()); }
    const Cell &operator[](int cell) const { return cells_[static_cast<std::size_t>(cell)]; }
    int level(int cell) const { return (*this)[cell].place.level; }
    const Shape &shape() const { return shape_; }
    double volume_width(int level) const { return cell_width(level) / shape_.across; }
    // The width of a volume in the finest cells that there are.
    double least_volume_width() const { return volume_width(finest_); }

    Beyond beyond(int cell, int face) const {
        return {links_.data() + link(cell, face), links_.data() + link(cell, face + 1)};
    }
    // Pairs of a cell's face and a cell beyond it are counted in this order; `face` may be kFaces.
    int link(int cell, int face) const {
        return first_link_[static_cast<std::size_t>(cell) * kFaces +
                           static_cast<std::size_t>(face)];
    }
    // The cell at a place; or kNone.
    static constexpr int kNone = -1;
    int find(const Place &place) const;
    // How many pairs of cells that follow each other share no face: 0, or the order is not
    // Peano's.
    int jumps() const;

  private:
    double cell_width(int level) const { return shape_.edge / cells_across(level); }
    bool shares_face(int cell, int other) const;
    void add_links(int cell, int face);

    Shape shape_;
    int finest_;
    std::vector<Cell> cells_;
    std::unordered_map<std::int64_t, int> numbers_; // by position on the curve
    std::vector<int> links_;
    std::vector<int> first_link_;
};

} // namespace enclave
