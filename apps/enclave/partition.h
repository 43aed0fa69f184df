// Distributes the cells: the curve is cut into a piece for each rank, and each of these into a
// piece for each subdomain, which a thread runs through. A cell with a neighbour in another piece,
// or of another level, is a skeleton cell, urgent because others wait for it; the rest are enclaves
// and may wait.
//
// Never changed once it is made.
#pragma once

#include "enclave/mesh.h"

#include <vector>

namespace enclave {

struct Piece {
    int first;
    int last; // one past

    int size() const { return last - first; }
    bool has(int cell) const { return cell >= first && cell < last; }
};

// Which of so many cells are a rank's.
Piece piece_of(int cells, int rank, int ranks);

// A layer that goes from one rank to another in each step.
struct Crossing {
    int cell; // a cell of the rank that sends
    int face; // a face of that cell
    int peer; // the other rank
};

class Partition {
  public:
    // `skew`: the first subdomain of each rank has that many times the cells of another one.
    // A rank gets no more subdomains than it has cells.
    Partition(const Mesh &mesh, int rank, int ranks, int subdomains, double skew);

    const Piece &own() const { return own_; } // this rank's
    const std::vector<Piece> &subdomains() const { return subdomains_; }
    bool is_skeleton(int cell) const { return skeleton_[cell - own_.first]; }
    // Each once, ordered by peer; then by cell and face.
    const std::vector<Crossing> &sent() const { return sent_; }
    const std::vector<Crossing> &received() const { return received_; }
    // The place of the layer of another rank's cell among those received.
    int place(int cell, int face) const;
    int skeletons() const;

  private:
    Piece own_;
    std::vector<Piece> subdomains_;
    std::vector<bool> skeleton_;
    std::vector<Crossing> sent_;
    std::vector<Crossing> received_;
};

} // namespace enclave
