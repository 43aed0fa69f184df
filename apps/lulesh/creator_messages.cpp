// The messages that the tasks of a step send and receive.
#include "common/omp_decls.h"
#include "loomp/record.h"
#include "lulesh/creator.h"

namespace lulesh {

// Packs and sends each piece when the tiles that it reads are ready.
void Creator::send(Exchange &exchange, Marks &marks, const std::vector<std::vector<int>> &tiles) {
    Exchange *from = &exchange;
    [[maybe_unused]] double *mark = marks.data();
    [[maybe_unused]] double *sent = sent_.data();
    [[maybe_unused]] double *order = &order_;
    const int pieces = int(exchange.outgoing.size());
    for (int p = 0; p < pieces; ++p) {
        const int *reads = tiles[std::size_t(p)].data();
        const int count_reads = int(tiles[std::size_t(p)].size());
        Piece *piece = &exchange.outgoing[std::size_t(p)];
        loomp_task_label("send");
#pragma omp task depend(iterator(int j = 0 : count_reads), in : mark[reads[j]])                    \
    depend(out : sent[p]) firstprivate(from, piece) priority(how_.send_priority)
        {
            piece->request.complete(); // what was sent a step ago
            pack(*from, *piece);
            piece->request.begin();
        }
        count(std::size_t(count_reads) + 1);
    }
    if (pieces > 0) {
#pragma omp task depend(iterator(int j = 0 : pieces), in : sent[j]) depend(inout : *order)
        {
        }
        count(std::size_t(pieces) + 1);
    }
}

// The pieces arrive in their buffers.
void Creator::receive(Exchange &exchange, Marks &arrived) {
    [[maybe_unused]] double *mark = arrived.data();
    [[maybe_unused]] double *order = &order_;
    for (std::size_t p = 0; p < exchange.incoming.size(); ++p) {
        Piece *piece = &exchange.incoming[p];
        loomp_task_label("receive");
#pragma omp task depend(out : mark[p]) depend(in : *order) firstprivate(piece)
        {
            piece->request.begin();
            piece->request.complete();
        }
        count(2);
    }
}

// Exchanges as Tasking::messages_between asks for it; returns false if it does not ask.
bool Creator::exchanged_between(Exchange &exchange, void (*take_all)(const Exchange &)) {
    if (!how_.messages_between)
        return false;
#pragma omp taskwait
    carry_out(exchange);
    take_all(exchange);
    return true;
}

template <void (*how)(const Exchange &, const Piece &, Range)>
void Creator::exchange_at_nodes(Exchange &exchange, void (*take_all)(const Exchange &),
                                Marks &arrived, const ExchangeTiles &met) {
    if (exchanged_between(exchange, take_all))
        return;
    send(exchange, node_, met.sent);
    receive(exchange, arrived);
    take<how>(exchange, arrived, met);
}

void Creator::exchange_forces() {
    exchange_at_nodes<add>(frontier_.forces, add_all, forces_arrived_, forces_);
}

void Creator::exchange_motion() {
    exchange_at_nodes<put>(frontier_.motion, put_all, motion_arrived_, motion_);
}

// Arrived values concern only the elements that have a place for them, so a task is enough.
void Creator::exchange_differences() {
    Exchange *exchange = &frontier_.differences;
    if (exchanged_between(*exchange, put_all))
        return;
    send(*exchange, difference_, differences_sent_);
    [[maybe_unused]] double *mark = difference_.data() + tiles_.elements.size();
    [[maybe_unused]] double *order = &order_;
    for (std::size_t p = 0; p < exchange->incoming.size(); ++p) {
        Piece *piece = &exchange->incoming[p];
        loomp_task_label("receive");
#pragma omp task depend(out : mark[p]) depend(in : *order) firstprivate(exchange, piece)
        {
            piece->request.begin();
            piece->request.complete();
            put(*exchange, *piece, {0, int(piece->places.size())});
        }
        count(2);
    }
}

// A node tile takes what has arrived for it, in the order of the pieces.
template <void (*how)(const Exchange &, const Piece &, Range)>
void Creator::take(Exchange &exchange, Marks &arrived, const ExchangeTiles &met) {
    const Exchange *from = &exchange;
    [[maybe_unused]] double *node = node_.data();
    [[maybe_unused]] double *mark = arrived.data();
    for (std::size_t t = 0; t < tiles_.nodes.size(); ++t) {
        const std::vector<Arrival> *arrivals = &met.arrived[t];
        if (arrivals->empty())
            continue;
        const int *reads = met.pieces[t].data();
        const int count_reads = int(met.pieces[t].size());
        loomp_task_label("take");
#pragma omp task depend(iterator(int j = 0 : count_reads), in : mark[reads[j]])                    \
    depend(inout : node[t]) firstprivate(from, arrivals)
        for (const Arrival &arrival : *arrivals)
            how(*from, from->incoming[std::size_t(arrival.piece)], arrival.places);
        count(std::size_t(count_reads) + 1);
    }
}

} // namespace lulesh
