// The rings of ghosts: which part of one comes from where, and how it gets there. Neighbours on one
// rank copy; from other ranks a part comes as a message, packed row by row.
#pragma once

#include "vlasov/tile.h"

namespace vlasov {

// The part of the ring in a direction.
Region ring(Direction where, int edge, int ghosts);
// The region that the neighbour in that direction has as ghosts.
Region rim(Direction where, int edge, int ghosts);

// From the neighbours on this rank, into the ring around `now`.
void copy_ghosts(Tile &tile);
// Packs what other ranks' tiles need into the messages to them.
void pack_ghosts(Tile &tile);
// Unpacks what they sent from the messages into the ring.
void unpack_ghosts(Tile &tile);

} // namespace vlasov
