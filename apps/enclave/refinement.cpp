#include "enclave/refinement.h"

#include "common/ranks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace enclave {

namespace {

constexpr double kFlat = 0.5; // as a share of what is steep

class Levels {
  public:
    Levels(const Mesh &mesh, const std::vector<double> &slopes, double steep);
    // Until both hold; levels only rise meanwhile.
    void settle() {
        while (raise_neighbours() || keep_broken_families()) {
        }
    }
    std::vector<Place> cells() const;

  private:
    bool raise(int cell, int level);
    bool raise_neighbours();
    bool keep_broken_families();
    int family_end(int first) const;

    const Mesh &mesh_;
    std::vector<int> wanted_; // for each cell, a level more or less than it has, or the same
};

Levels::Levels(const Mesh &mesh, const std::vector<double> &slopes, double steep) : mesh_(mesh) {
    const Shape &shape = mesh.shape();
    const auto cells = static_cast<std::size_t>(mesh.size());
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const int level = mesh.level(static_cast<int>(cell));
        const int change = slopes[cell] > steep ? 1 : slopes[cell] < kFlat * steep ? -1 : 0;
        wanted_.push_back(std::clamp(level + change, shape.depth, shape.finest));
    }
    const std::vector<int> own = wanted_;
    for (int cell = 0; cell < mesh.size(); ++cell) {
        if (!(slopes[static_cast<std::size_t>(cell)] > steep))
            continue;
        for (int face = 0; face < kFaces; ++face)
            for (const int other : mesh.beyond(cell, face))
                raise(other, std::min(own[static_cast<std::size_t>(cell)], mesh.level(other) + 1));
    }
}

bool Levels::raise(int cell, int level) {
    int &wanted = wanted_[static_cast<std::size_t>(cell)];
    if (wanted >= level)
        return false;
    wanted = level;
    return true;
}

bool Levels::raise_neighbours() {
    bool raised = false;
    for (int cell = 0; cell < mesh_.size(); ++cell)
        for (int face = 0; face < kFaces; ++face)
            for (const int other : mesh_.beyond(cell, face))
                raised |= raise(other, wanted_[static_cast<std::size_t>(cell)] - 1);
    return raised;
}

// One past the cells that came of the same cell as this one and follow it on the curve.
int Levels::family_end(int first) const {
    int end = first + 1;
    while (end < mesh_.size() && mesh_.level(end) == mesh_.level(first) &&
           mesh_[end].place.parent() == mesh_[first].place.parent())
        ++end;
    return end;
}

// Cells are joined if all that came of one are there, and none is against it.
bool Levels::keep_broken_families() {
    bool kept = false;
    for (int first = 0; first < mesh_.size();) {
        const int end = family_end(first);
        bool whole = end - first == mesh_.shape().children();
        for (int cell = first; cell < end; ++cell)
            whole = whole && wanted_[static_cast<std::size_t>(cell)] < mesh_.level(cell);
        for (int cell = first; cell < end && !whole; ++cell)
            kept |= raise(cell, mesh_.level(cell));
        first = end;
    }
    return kept;
}

std::vector<Place> Levels::cells() const {
    std::vector<Place> cells;
    for (int cell = 0; cell < mesh_.size(); ++cell) {
        const Place &place = mesh_[cell].place;
        const int wanted = wanted_[static_cast<std::size_t>(cell)];
        if (wanted > place.level) {
            const std::vector<Place> cut = children(place, mesh_.shape().dimensions);
            cells.insert(cells.end(), cut.begin(), cut.end());
        } else if (wanted == place.level) {
            cells.push_back(place);
        } else if (cells.empty() || !(cells.back() == place.parent())) {
            cells.push_back(place.parent());
        }
    }
    return cells;
}

} // namespace

double slope(const Problem &problem, const Frame &frame, const double *values) {
    const int n = frame.across;
    const double *observed =
        values + static_cast<std::ptrdiff_t>(problem.observed) * frame.stride();
    double steepest = 0;
    int step = 1;
    for (int axis = 0; axis < frame.dimensions; ++axis) {
        for (int volume = 0; volume < frame.volumes(); ++volume)
            if (volume / step % n + 1 < n)
                steepest =
                    std::max(steepest, std::fabs(observed[volume + step] - observed[volume]));
        step *= n;
    }
    return steepest / frame.width;
}

std::vector<double> slopes(const Problem &problem, const Mesh &mesh, const Field &field,
                           const Piece &own) {
    std::vector<double> all(static_cast<std::size_t>(mesh.size()), 0.0);
    for (int cell = own.first; cell < own.last; ++cell)
        all[static_cast<std::size_t>(cell)] = slope(problem, field.frame(cell), field.values(cell));
    apps::ranks::sum(all.data(), static_cast<std::int64_t>(all.size()));
    return all;
}

std::vector<Place> refined(const Mesh &mesh, const std::vector<double> &slopes, double steep) {
    Levels levels(mesh, slopes, steep);
    levels.settle();
    return levels.cells();
}

} // namespace enclave
