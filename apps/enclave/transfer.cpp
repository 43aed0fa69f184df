#include "enclave/transfer.h"

#include "common/ranks.h"
#include "enclave/resample.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace enclave {

namespace ranks = apps::ranks;

namespace {

constexpr int kTag = 1;

// The old cells that a new one has its values from.
std::vector<int> sources(const Mesh &from, const Place &place) {
    for (const Place &one : {place, place.parent()}) {
        const int cell = from.find(one);
        if (cell != Mesh::kNone)
            return {cell};
    }
    std::vector<int> cells;
    for (const Place &child : children(place, from.shape().dimensions))
        cells.push_back(from.find(child));
    return cells;
}

// Those of the old cells of `giver` that new cells of `taker` need, in order.
std::vector<int> needed(const Mesh &from, const Piece &giver, const Mesh &to, const Piece &taker) {
    std::vector<int> cells;
    for (int cell = taker.first; cell < taker.last; ++cell)
        for (const int source : sources(from, to[cell].place))
            if (giver.has(source))
                cells.push_back(source);
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

class Transfer {
  public:
    Transfer(const Domain &from, Domain &to)
        : from_(from), to_(to), patch_(static_cast<std::size_t>(from.problem.unknowns) *
                                       from.field.frame(from.own().first).stride()) {}
    void exchange();
    void fill(int cell);

  private:
    const double *values(int cell) const {
        return from_.own().has(cell) ? from_.field.values(cell) : received_.at(cell);
    }

    const Domain &from_;
    Domain &to_;
    std::size_t patch_; // a patch's size in doubles
    std::vector<std::vector<double>> buffers_;
    std::unordered_map<int, const double *> received_;
};

void Transfer::exchange() {
    std::vector<ranks::Message> outgoing;
    std::vector<ranks::Message> incoming;
    const auto add = [&](std::vector<ranks::Message> &messages, std::size_t cells, int peer) {
        buffers_.emplace_back(cells * patch_);
        messages.push_back(
            {buffers_.back().data(), static_cast<std::int64_t>(cells * patch_), peer, kTag});
        return buffers_.back().data();
    };
    for (int peer = 0; peer < ranks::count(); ++peer) {
        if (peer == ranks::rank())
            continue;
        const Piece theirs = piece_of(from_.mesh.size(), peer, ranks::count());
        const Piece theirs_then = piece_of(to_.mesh.size(), peer, ranks::count());
        const std::vector<int> given = needed(from_.mesh, from_.own(), to_.mesh, theirs_then);
        if (!given.empty()) {
            double *to = add(outgoing, given.size(), peer);
            for (const int cell : given)
                to = std::copy_n(from_.field.values(cell), patch_, to);
        }
        const std::vector<int> taken = needed(from_.mesh, theirs, to_.mesh, to_.own());
        if (taken.empty())
            continue;
        const double *at = add(incoming, taken.size(), peer);
        for (const int cell : taken) {
            received_[cell] = at;
            at += patch_;
        }
    }
    ranks::exchange(outgoing, incoming);
}

void Transfer::fill(int cell) {
    const Place &place = to_.mesh[cell].place;
    const std::vector<int> cells = sources(from_.mesh, place);
    const Resample resample(to_.field.frame(cell), to_.problem.unknowns);
    to_.field.allocate(cell);
    double *values_then = to_.field.values(cell);
    if (cells.size() > 1) {
        std::vector<const double *> parts;
        for (const int part : cells)
            parts.push_back(values(part));
        resample.join(parts, values_then);
    } else if (from_.mesh.level(cells[0]) < place.level) {
        resample.cut(values(cells[0]), place, values_then);
    } else {
        std::copy_n(values(cells[0]), patch_, values_then);
    }
}

} // namespace

void transfer(const Domain &from, Domain &to) {
    Transfer all(from, to);
    all.exchange();
    to.each([&](int cell) { all.fill(cell); });
}

} // namespace enclave
