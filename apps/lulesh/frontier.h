// A rank exchanges messages with those whose cubes touch its own, through a face, an edge or a
// corner. Each message has the values at a list of places, in pieces. Each rank makes its lists by
// itself; both sides' are in one order.
#pragma once

#include "common/ranks.h"
#include "lulesh/domain.h"
#include "lulesh/tiles.h"

#include <vector>

namespace lulesh {

// A message, or part of one, that is exchanged in each step. Movable only.
struct Piece {
    int peer;
    int tag;
    std::vector<int> places; // nodes or elements, ascending; those received are after a rank's own
    Array<double> buffer;    // field by field
    apps::ranks::Request request;
};

struct Exchange {
    std::vector<double *> fields;
    std::vector<Piece> outgoing;
    std::vector<Piece> incoming; // in an order that does not depend on the number of pieces
};

// The part of a piece that belongs to a tile.
struct Arrival {
    int piece;
    Range places; // in the piece's list
};

// The tiles that an exchange of nodes meets.
struct ExchangeTiles {
    std::vector<std::vector<int>> sent;        // by outgoing piece: the tiles that it reads
    std::vector<std::vector<Arrival>> arrived; // by tile
    std::vector<std::vector<int>> pieces;      // by tile: the incoming pieces of these
};

// How messages are cut, and sent.
struct Pieces {
    int of_face;
    int of_edge;
    apps::ranks::Request::Calls calls;
};

// The exchanges of each step.
struct Frontier {
    Frontier(Domain &domain, Pieces pieces);

    // Sums at shared nodes.
    Exchange forces;
    // Positions and velocities of shared nodes, which all take from the rank with the lowest
    // coordinates: sums may differ in their last bits.
    Exchange motion;
    // Velocity differences of the elements at faces.
    Exchange differences;
};

// Sums of the masses of shared nodes.
Exchange exchange_masses(Domain &domain);
// The largest tag that these use.
int largest_tag(Pieces pieces);

void pack(const Exchange &exchange, Piece &piece);
// Puts what has arrived in its place, or adds it to what is there; `places` are in the piece's
// list.
void put(const Exchange &exchange, const Piece &piece, Range places);
void add(const Exchange &exchange, const Piece &piece, Range places);

// All of an exchange at once: packs, sends and receives, and waits for all of it. The caller takes
// what has arrived.
void carry_out(Exchange &exchange);
void add_all(const Exchange &exchange);
void put_all(const Exchange &exchange);

ExchangeTiles meet(const Exchange &exchange, const std::vector<NodeTile> &tiles);
// Notes in the material tiles what they read of other ranks' elements: tiles.elements.size() + p in
// the neighbours of one stands for incoming piece p. Returns the element tiles that each outgoing
// piece reads.
std::vector<std::vector<int>> meet(const Domain &domain, const Exchange &exchange, Tiles &tiles);

} // namespace lulesh
