#include "enclave/partition.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

namespace enclave {

namespace {

// Where the `part`-th of `parts` equal pieces of n cells begins.
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

Partition::Partition(const Mesh &mesh, int rank, int ranks, int subdomains, double skew)
    : own_{cut(mesh.size(), rank, ranks), cut(mesh.size(), rank + 1, ranks)},
      subdomains_(cut_for_threads(own_, subdomains, skew)), skeleton_(own_.size(), false) {
    for (const Piece &piece : subdomains_) {
        for (int cell = piece.first; cell < piece.last; ++cell) {
            for (int face = 0; face < kFaces; ++face) {
                const int beyond = mesh[cell].neighbour[face];
                if (beyond == Cell::kNone || (beyond >= piece.first && beyond < piece.last))
                    continue;
                skeleton_[cell - own_.first] = true;
                const int peer = owner(beyond, mesh.size(), ranks);
                if (peer != rank) {
                    sent_.push_back({cell, face, peer});
                    received_.push_back({cell, face, peer});
                }
            }
        }
    }
    std::sort(sent_.begin(), sent_.end(), [](const Crossing &a, const Crossing &b) {
        return std::tie(a.peer, a.cell, a.face) < std::tie(b.peer, b.cell, b.face);
    });
    const auto sender = [&](const Crossing &crossing) {
        return std::make_tuple(crossing.peer, mesh[crossing.cell].neighbour[crossing.face],
                               opposite(crossing.face));
    };
    std::sort(received_.begin(), received_.end(),
              [&](const Crossing &a, const Crossing &b) { return sender(a) < sender(b); });
}

int Partition::skeletons() const {
    return static_cast<int>(std::count(skeleton_.begin(), skeleton_.end(), true));
}

} // namespace enclave
