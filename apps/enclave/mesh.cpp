#include "enclave/mesh.h"

#include "enclave/face_map.h"

#include <algorithm>

namespace enclave {

namespace {

int cells_along(const Shape &shape, int level, int axis) {
    return axis < shape.dimensions ? cells_across(level) : 1;
}

std::vector<Place> all_of(const Shape &shape) {
    std::vector<Place> cells;
    for (int z = 0; z < cells_along(shape, shape.depth, 2); ++z)
        for (int y = 0; y < cells_along(shape, shape.depth, 1); ++y)
            for (int x = 0; x < cells_along(shape, shape.depth, 0); ++x)
                cells.push_back({shape.depth, {x, y, z}});
    return cells;
}

// When the curve comes to the cell, in a mesh of the smallest cells.
std::int64_t position(const Place &place) {
    std::int64_t position = position_on_curve(place.index, place.level);
    for (int level = place.level; level < kDeepest; ++level)
        position *= 27;
    return position;
}

// The place beyond a face, of the same level. False: it is beyond the domain.
bool step_beyond(const Shape &shape, int face, Place &place) {
    const int axis = axis_of(face);
    const int count = cells_along(shape, place.level, axis);
    place.index[axis] += face % 2 == 0 ? -1 : 1;
    if (place.index[axis] >= 0 && place.index[axis] < count)
        return true;
    place.index[axis] = (place.index[axis] + count) % count;
    return shape.periodic;
}

} // namespace

std::vector<Place> children(const Place &cell, int dimensions) {
    std::vector<Place> all;
    for (int z = 0; z < (dimensions > 2 ? 3 : 1); ++z)
        for (int y = 0; y < (dimensions > 1 ? 3 : 1); ++y)
            for (int x = 0; x < 3; ++x)
                all.push_back(
                    {cell.level + 1,
                     {3 * cell.index[0] + x, 3 * cell.index[1] + y, 3 * cell.index[2] + z}});
    return all;
}

Mesh::Mesh(const Shape &shape) : Mesh(shape, all_of(shape)) {}

Mesh::Mesh(const Shape &shape, const std::vector<Place> &cells)
    : shape_(shape), finest_(shape.depth) {
    std::vector<std::pair<std::int64_t, Place>> ordered;
    ordered.reserve(cells.size());
    for (const Place &place : cells)
        ordered.emplace_back(position(place), place);
    std::sort(ordered.begin(), ordered.end(),
              [](const auto &a, const auto &b) { return a.first < b.first; });
    cells_.reserve(cells.size());
    numbers_.reserve(cells.size());
    for (const auto &[position, place] : ordered) {
        Point low;
        for (int axis = 0; axis < 3; ++axis)
            low[axis] = shape.low[axis] + place.index[axis] * cell_width(place.level);
        numbers_[position] = size();
        cells_.push_back({place, low});
        finest_ = std::max(finest_, place.level);
    }
    first_link_.push_back(0);
    for (int cell = 0; cell < size(); ++cell) {
        for (int face = 0; face < kFaces; ++face) {
            add_links(cell, face);
            first_link_.push_back(static_cast<int>(links_.size()));
        }
    }
}

void Mesh::add_links(int cell, int face) {
    Place there = (*this)[cell].place;
    if (!step_beyond(shape_, face, there))
        return;
    for (const Place &place : {there, there.parent()}) {
        const int other = find(place);
        if (other != kNone) {
            links_.push_back(other);
            return;
        }
    }
    // Those at this side of the cell that is not there, since it is cut.
    const FaceMap map(shape_.across, shape_.dimensions, axis_of(face));
    const std::size_t first = links_.size();
    links_.resize(first + static_cast<std::size_t>(map.children()), kNone);
    for (const Place &child : children(there, shape_.dimensions))
        if (digit(child, axis_of(face)) == (face % 2 == 0 ? 2 : 0))
            links_[first + static_cast<std::size_t>(map.child(child))] = find(child);
}

int Mesh::find(const Place &place) const {
    if (place.level < 0)
        return kNone;
    const auto found = numbers_.find(position(place));
    return found != numbers_.end() && (*this)[found->second].place == place ? found->second : kNone;
}

bool Mesh::shares_face(int cell, int other) const {
    for (int face = 0; face < kFaces; ++face)
        for (const int beyond : this->beyond(cell, face))
            if (beyond == other)
                return true;
    return false;
}

int Mesh::jumps() const {
    int jumps = 0;
    for (int cell = 1; cell < size(); ++cell)
        jumps += shares_face(cell - 1, cell) ? 0 : 1;
    return jumps;
}

} // namespace enclave
