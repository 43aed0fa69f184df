#include "common/omp_decls.h"
#include "common/ranks.h"
#include "vlasov/run.h"

namespace vlasov {

namespace {

class Exchange {
  public:
    explicit Exchange(Tiles &tiles) {
        using apps::ranks::Message;
        for (int t = 0; t < tiles.count(); ++t)
            for (Link &link : tiles[t].links) {
                const auto values = static_cast<std::int64_t>(link.outgoing.size());
                outgoing_.push_back(Message{link.outgoing.data(), values, link.peer, link.tag_out});
                incoming_.push_back(Message{link.incoming.data(), values, link.peer, link.tag_in});
            }
    }
    void carry_out() const { apps::ranks::exchange(outgoing_, incoming_); }

  private:
    std::vector<apps::ranks::Message> outgoing_, incoming_;
};

} // namespace

apps::Cost run_for(Simulation &simulation, const Steps &steps) {
    Tiles &tiles = simulation.tiles();
    const Exchange exchange(tiles);
    apps::ranks::barrier();
    const double start = omp_get_wtime();
    for (int step = steps.first; step < steps.last && simulation.stopped().empty(); ++step) {
        if (steps.before && !steps.before(step))
            break;
        simulation.add_up();
        simulation.solve();
#pragma omp parallel for
        for (int t = 0; t < tiles.count(); ++t) {
            simulation.copy(tiles[t]);
            simulation.pack(tiles[t]);
        }
        exchange.carry_out();
#pragma omp parallel for
        for (int t = 0; t < tiles.count(); ++t) {
            simulation.advance_centre(tiles[t]);
            simulation.advance_border(tiles[t]);
            simulation.finish(tiles[t]);
        }
    }
    apps::ranks::barrier();
    apps::Cost cost;
    cost.seconds = omp_get_wtime() - start;
    return cost;
}

} // namespace vlasov
