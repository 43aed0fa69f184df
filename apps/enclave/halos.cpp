#include "enclave/halos.h"

#include <algorithm>
#include <cstdint>

namespace enclave {

namespace ranks = apps::ranks;

namespace {
constexpr int kTag = 0;
}

Halos::Halos(const Partition &partition, Field &field) : field_(field) {
    for (const Crossing &crossing : partition.sent()) {
        if (peers_.empty() || peers_.back().rank != crossing.peer) {
            peers_.emplace_back();
            peers_.back().rank = crossing.peer;
        }
        Peer &peer = peers_.back();
        peer.sent.push_back(crossing);
        if (peer.cells.empty() || peer.cells.back() != crossing.cell)
            peer.cells.push_back(crossing.cell);
    }
    // Both sides share the same faces, so both lists have the same peers, in the same order.
    const std::vector<Crossing> &received = partition.received();
    std::size_t next = 0;
    for (Peer &peer : peers_) {
        peer.first_received = next * field.layer_size();
        while (next < received.size() && received[next].peer == peer.rank)
            ++next;
        peer.received = next * field.layer_size() - peer.first_received;
        peer.outgoing.resize(peer.sent.size() * field.layer_size());
    }
}

void Halos::pack(Peer &peer, int set) {
    double *to = peer.outgoing.data();
    for (const Crossing &crossing : peer.sent) {
        const double *layer = field_.layer(crossing.cell, crossing.face, set);
        to = std::copy(layer, layer + field_.layer_size(), to);
    }
}

void Halos::send(int peer, int set) {
    Peer &to = peers_[peer];
    pack(to, set);
    ranks::send(to.outgoing.data(), static_cast<std::int64_t>(to.outgoing.size()), to.rank, kTag);
}

void Halos::receive(int peer, int set) {
    const Peer &from = peers_[peer];
    ranks::receive(field_.received(set) + from.first_received,
                   static_cast<std::int64_t>(from.received), from.rank, kTag);
}

void Halos::exchange(int set) {
    std::vector<ranks::Message> outgoing;
    std::vector<ranks::Message> incoming;
    for (Peer &peer : peers_) {
        pack(peer, set);
        outgoing.push_back({peer.outgoing.data(), static_cast<std::int64_t>(peer.outgoing.size()),
                            peer.rank, kTag});
        incoming.push_back({field_.received(set) + peer.first_received,
                            static_cast<std::int64_t>(peer.received), peer.rank, kTag});
    }
    ranks::exchange(outgoing, incoming);
}

} // namespace enclave
