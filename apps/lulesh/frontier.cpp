#include "lulesh/frontier.h"

#include <algorithm>

namespace lulesh {

namespace {

enum Phase { kForces, kMotion, kDifferences, kPhases };

// Towards another rank: -1, 0 or 1 along x, y and z.
struct Towards {
    int along[3];

    Towards back() const { return {{-along[0], -along[1], -along[2]}}; }
    int number() const { return 9 * (along[2] + 1) + 3 * (along[1] + 1) + along[0] + 1; }
    int axes() const { return int(along[0] != 0) + int(along[1] != 0) + int(along[2] != 0); }
};
constexpr int kTowards = 27;

bool there_is(const Place &place, const Towards &towards) {
    for (int axis = 0; axis < 3; ++axis)
        if (!place.has(axis, towards.along[axis]))
            return false;
    return towards.axes() > 0;
}

int rank_at(const Place &place, const Towards &towards) {
    int at[3];
    for (int axis = 0; axis < 3; ++axis)
        at[axis] = place.along[axis] + towards.along[axis];
    return (at[2] * place.side + at[1]) * place.side + at[0];
}

template <typename F> void over_neighbours(const Place &place, F f) {
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) {
                const Towards towards = {{x, y, z}};
                if (there_is(place, towards))
                    f(towards);
            }
}

// Those of a lattice with `size` places along each axis that lie towards another rank, ascending.
// `from` is where the axes begin that are not towards it.
std::vector<int> side(int size, const Towards &towards, const int (&from)[3]) {
    Range along[3];
    for (int axis = 0; axis < 3; ++axis) {
        const int step = towards.along[axis];
        along[axis] = step < 0   ? Range{0, 1}
                      : step > 0 ? Range{size - 1, size}
                                 : Range{from[axis], size};
    }
    std::vector<int> places;
    for (int z = along[2].first; z < along[2].last; ++z)
        for (int y = along[1].first; y < along[1].last; ++y)
            for (int x = along[0].first; x < along[0].last; ++x)
                places.push_back((z * size + y) * size + x);
    return places;
}

// Cuts the places of one message into pieces. `sender` is how the message goes, as its sender sees
// it.
void cut_into(std::vector<Piece> &list, const std::vector<int> &places, int peer, Phase phase,
              const Towards &sender, Pieces pieces) {
    const int count = sender.axes() == 1 ? pieces.of_face : sender.axes() == 2 ? pieces.of_edge : 1;
    const int most = std::max(pieces.of_face, pieces.of_edge);
    const std::size_t all = places.size();
    for (int i = 0; i < count; ++i) {
        Piece piece;
        piece.peer = peer;
        piece.tag = (phase * most + i) * kTowards + sender.number();
        const std::size_t first = all * std::size_t(i) / std::size_t(count);
        const std::size_t last = all * std::size_t(i + 1) / std::size_t(count);
        piece.places.assign(places.begin() + std::ptrdiff_t(first),
                            places.begin() + std::ptrdiff_t(last));
        list.push_back(std::move(piece));
    }
}

void make_buffers(Exchange &exchange, Pieces pieces) {
    namespace ranks = apps::ranks;
    const std::size_t fields = exchange.fields.size();
    for (Piece &piece : exchange.outgoing) {
        const std::size_t values = fields * piece.places.size();
        piece.buffer = make_array<double>(values);
        piece.request = ranks::Request::to_send(piece.buffer.get(), std::int64_t(values),
                                                piece.peer, piece.tag, pieces.calls);
    }
    for (Piece &piece : exchange.incoming) {
        const std::size_t values = fields * piece.places.size();
        piece.buffer = make_array<double>(values);
        piece.request = ranks::Request::to_receive(piece.buffer.get(), std::int64_t(values),
                                                   piece.peer, piece.tag, pieces.calls);
    }
}

Exchange exchange_sums(Domain &domain, std::vector<double *> fields, Pieces pieces) {
    Exchange exchange;
    exchange.fields = std::move(fields);
    const Place &place = domain.setup.place;
    over_neighbours(place, [&](const Towards &towards) {
        const int peer = rank_at(place, towards);
        const std::vector<int> nodes = side(domain.nodes_of_edge(), towards, {0, 0, 0});
        cut_into(exchange.outgoing, nodes, peer, kForces, towards, pieces);
        cut_into(exchange.incoming, nodes, peer, kForces, towards.back(), pieces);
    });
    make_buffers(exchange, pieces);
    return exchange;
}

Exchange exchange_forces(Domain &domain, Pieces pieces) {
    Vectors &force = domain.force;
    return exchange_sums(domain, {force.x.get(), force.y.get(), force.z.get()}, pieces);
}

Exchange exchange_motion(Domain &domain, Pieces pieces) {
    Exchange exchange;
    for (Vectors *field : {&domain.position, &domain.velocity})
        for (Array<double> *component : {&field->x, &field->y, &field->z})
            exchange.fields.push_back(component->get());
    const Place &place = domain.setup.place;
    // Nodes that a rank with lower coordinates has as well are that one's to send.
    int from[3];
    for (int axis = 0; axis < 3; ++axis)
        from[axis] = place.has(axis, -1) ? 1 : 0;
    over_neighbours(place, [&](const Towards &towards) {
        const int *along = towards.along;
        const int peer = rank_at(place, towards);
        const std::vector<int> nodes = side(domain.nodes_of_edge(), towards, from);
        if (along[0] >= 0 && along[1] >= 0 && along[2] >= 0)
            cut_into(exchange.outgoing, nodes, peer, kMotion, towards, pieces);
        if (along[0] <= 0 && along[1] <= 0 && along[2] <= 0)
            cut_into(exchange.incoming, nodes, peer, kMotion, towards.back(), pieces);
    });
    make_buffers(exchange, pieces);
    return exchange;
}

Exchange exchange_differences(Domain &domain, Pieces pieces) {
    Exchange exchange;
    const Direction *directions[3] = {&domain.xi, &domain.eta, &domain.zeta};
    for (const Direction *direction : directions)
        exchange.fields.push_back(direction->velocity_difference.get());
    const Place &place = domain.setup.place;
    over_neighbours(place, [&](const Towards &towards) {
        if (towards.axes() > 1)
            return;
        const int peer = rank_at(place, towards);
        const std::vector<int> own = side(domain.setup.edge, towards, {0, 0, 0});
        cut_into(exchange.outgoing, own, peer, kDifferences, towards, pieces);
        std::vector<int> others;
        for (const int element : own)
            for (int axis = 0; axis < 3; ++axis)
                if (towards.along[axis] != 0)
                    others.push_back(towards.along[axis] < 0 ? directions[axis]->before[element]
                                                             : directions[axis]->after[element]);
        cut_into(exchange.incoming, others, peer, kDifferences, towards.back(), pieces);
    });
    make_buffers(exchange, pieces);
    return exchange;
}

Range part_in(const std::vector<int> &ascending, Range range) {
    const auto first = std::lower_bound(ascending.begin(), ascending.end(), range.first);
    const auto last = std::lower_bound(first, ascending.end(), range.last);
    return {int(first - ascending.begin()), int(last - ascending.begin())};
}

// Returns whether an element of the tile is next to one that arrives in the piece.
bool reads(const Domain &domain, const MaterialTile &tile, const Piece &piece) {
    const auto arrives = [&](int other) {
        return other >= domain.elements &&
               std::binary_search(piece.places.begin(), piece.places.end(), other);
    };
    for (const MaterialTile::Part &part : tile.parts)
        for (int at = part.places.first; at < part.places.last; ++at) {
            const int e = domain.region_element[at];
            for (const Direction *direction : {&domain.xi, &domain.eta, &domain.zeta})
                if (arrives(direction->before[e]) || arrives(direction->after[e]))
                    return true;
        }
    return false;
}

} // namespace

int largest_tag(Pieces pieces) {
    return kPhases * std::max(pieces.of_face, pieces.of_edge) * kTowards - 1;
}

Frontier::Frontier(Domain &domain, Pieces pieces)
    : forces(exchange_forces(domain, pieces)), motion(exchange_motion(domain, pieces)),
      differences(exchange_differences(domain, pieces)) {}

Exchange exchange_masses(Domain &domain) {
    return exchange_sums(domain, {domain.node_mass.get()},
                         {1, 1, apps::ranks::Request::Calls::persistent});
}

void pack(const Exchange &exchange, Piece &piece) {
    double *to = piece.buffer.get();
    for (const double *field : exchange.fields)
        for (const int place : piece.places)
            *to++ = field[place];
}

void put(const Exchange &exchange, const Piece &piece, Range places) {
    const double *from = piece.buffer.get();
    for (double *field : exchange.fields) {
        for (int at = places.first; at < places.last; ++at)
            field[piece.places[std::size_t(at)]] = from[at];
        from += piece.places.size();
    }
}

void add(const Exchange &exchange, const Piece &piece, Range places) {
    const double *from = piece.buffer.get();
    for (double *field : exchange.fields) {
        for (int at = places.first; at < places.last; ++at)
            field[piece.places[std::size_t(at)]] += from[at];
        from += piece.places.size();
    }
}

void carry_out(Exchange &exchange) {
    if (exchange.outgoing.empty() && exchange.incoming.empty())
        return;
    using apps::ranks::Message;
    const std::size_t fields = exchange.fields.size();
    const auto message = [fields](const Piece &piece) {
        return Message{piece.buffer.get(), std::int64_t(fields * piece.places.size()), piece.peer,
                       piece.tag};
    };
    std::vector<Message> outgoing;
    std::vector<Message> incoming;
    for (Piece &piece : exchange.outgoing) {
        pack(exchange, piece);
        outgoing.push_back(message(piece));
    }
    for (const Piece &piece : exchange.incoming)
        incoming.push_back(message(piece));
    apps::ranks::exchange(outgoing, incoming);
}

void add_all(const Exchange &exchange) {
    for (const Piece &piece : exchange.incoming)
        add(exchange, piece, {0, int(piece.places.size())});
}

void put_all(const Exchange &exchange) {
    for (const Piece &piece : exchange.incoming)
        put(exchange, piece, {0, int(piece.places.size())});
}

ExchangeTiles meet(const Exchange &exchange, const std::vector<NodeTile> &tiles) {
    ExchangeTiles met;
    met.sent.resize(exchange.outgoing.size());
    met.arrived.resize(tiles.size());
    met.pieces.resize(tiles.size());
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        for (std::size_t p = 0; p < exchange.outgoing.size(); ++p)
            if (part_in(exchange.outgoing[p].places, tiles[t].nodes).size() > 0)
                met.sent[p].push_back(int(t));
        for (std::size_t p = 0; p < exchange.incoming.size(); ++p) {
            const Range part = part_in(exchange.incoming[p].places, tiles[t].nodes);
            if (part.size() == 0)
                continue;
            met.arrived[t].push_back({int(p), part});
            met.pieces[t].push_back(int(p));
        }
    }
    return met;
}

std::vector<std::vector<int>> meet(const Domain &domain, const Exchange &exchange, Tiles &tiles) {
    std::vector<std::vector<int>> sent(exchange.outgoing.size());
    for (std::size_t t = 0; t < tiles.elements.size(); ++t)
        for (std::size_t p = 0; p < exchange.outgoing.size(); ++p)
            if (part_in(exchange.outgoing[p].places, tiles.elements[t].elements).size() > 0)
                sent[p].push_back(int(t));
    for (MaterialTile &tile : tiles.materials)
        for (std::size_t p = 0; p < exchange.incoming.size(); ++p)
            if (reads(domain, tile, exchange.incoming[p]))
                tile.neighbours.push_back(int(tiles.elements.size() + p));
    return sent;
}

} // namespace lulesh
