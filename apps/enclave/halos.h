// The ranks' exchange in each step: the layers at faces that two of them share, one message from
// each to each.
//
// Thread safety: send() and receive() of different peers at the same time, as ranks::send() and
// ranks::receive().
#pragma once

#include "common/ranks.h"
#include "enclave/field.h"

#include <vector>

namespace enclave {

class Halos {
  public:
    // Both live longer.
    Halos(const Partition &partition, Field &field);

    // Ranks that this one shares faces with are counted from 0.
    int peers() const { return static_cast<int>(peers_.size()); }
    // The cells whose layers go to a peer, each once.
    const std::vector<int> &cells_sent(int peer) const { return peers_[peer].cells; }
    // Blocking; of the layers of a set.
    void send(int peer, int set);
    void receive(int peer, int set);
    // With all peers at once, when all layers are there.
    void exchange(int set);

  private:
    struct Peer {
        int rank;
        std::vector<Crossing> sent;
        std::vector<int> cells;
        std::vector<double> outgoing;
        std::size_t first_received; // in doubles
        std::size_t received;
    };
    void pack(Peer &peer, int set);

    Field &field_;
    std::vector<Peer> peers_;
};

} // namespace enclave
