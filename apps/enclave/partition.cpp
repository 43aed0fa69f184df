#include "enclave/partition.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

namespace enclave {

namespace {

// The cell at which the `part`-th of `parts` equal pieces of n cells begins.
int cut(int n, int part, int parts) {
    return static_cast<int>(static_cast<std::int64_t>(n) * part / parts);
}

int owner(int cell, int n, int ranks) {
    int rank = static_cast<int>(static_cast<std::int64_t>(cell) * ranks / n);
    while (cell < cut(n, rank, ranks))
        --rank;
    while (cell >= cut(n, rank + 1, ranks))
        ++rank;
    return rank;
}

void make_unique(std::vector<Crossing> &crossings) {
    const auto key = [](const Crossing &a) { return std::tie(a.peer, a.cell, a.face); };
    std::sort(crossings.begin(), crossings.end(),
              [&](const Crossing &a, const Crossing &b) { return key(a) < key(b); });
    crossings.erase(
        std::unique(crossings.begin(), crossings.end(),
                    [&](const Crossing &a, const Crossing &b) { return key(a) == key(b); }),
        crossings.end());
}

std::vector<Piece> cut_for_threads(const Piece &own, int parts, double skew) {
    parts = std::min(parts, own.size());
    const int most = own.size() - (parts - 1); // each of the others needs a cell
    const double share = skew / (skew + parts - 1);
    const int first = std::clamp(static_cast<int>(std::lround(share * own.size())), 1, most);
    std::vector<Piece> pieces = {{own.first, own.first + first}};
    const int rest = own.size() - first;
    for (int part = 0; part + 1 < parts; ++part)
        pieces.push_back({own.first + first + cut(rest, part, parts - 1),
                          own.first + first + cut(rest, part + 1, parts - 1)});
    return pieces;
}

} // namespace

Piece piece_of(int cells, int rank, int ranks) {
    return {cut(cells, rank, ranks), cut(cells, rank + 1, ranks)};
}

Partition::Partition(const Mesh &mesh, int rank, int ranks, int subdomains, double skew)
    : own_(piece_of(mesh.size(), rank, ranks)),
      subdomains_(cut_for_threads(own_, subdomains, skew)), skeleton_(own_.size(), false) {
    for (const Piece &piece : subdomains_) {
        for (int cell = piece.first; cell < piece.last; ++cell) {
            for (int face = 0; face < kFaces; ++face) {
                for (const int beyond : mesh.beyond(cell, face)) {
                    if (!piece.has(beyond) || mesh.level(beyond) != mesh.level(cell))
                        skeleton_[cell - own_.first] = true;
                    if (own_.has(beyond))
                        continue;
                    const int peer = owner(beyond, mesh.size(), ranks);
                    sent_.push_back({cell, face, peer});
                    received_.push_back({beyond, opposite(face), peer});
                }
            }
        }
    }
    make_unique(sent_);
    make_unique(received_);
}

int Partition::place(int cell, int face) const {
    // Peers follow each other as their cells do.
    const auto found =
        std::lower_bound(received_.begin(), received_.end(), std::make_pair(cell, face),
                         [](const Crossing &a, const std::pair<int, int> &b) {
                             return std::make_pair(a.cell, a.face) < b;
                         });
    return static_cast<int>(found - received_.begin());
}

int Partition::skeletons() const {
    return static_cast<int>(std::count(skeleton_.begin(), skeleton_.end(), true));
}

} // namespace enclave
