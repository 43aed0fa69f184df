// One plasma on one rank: its tiles, the field, and the parts that a time step is made of, which
// run_for.cpp and run_task.cpp put together. A step from f^n to f^(n+1):
//
//     add_up()                       density and current of all tiles and ranks
//     solve()                        the field at n, and half a step ahead
//     pack, send, receive, copy      ghosts of f^n
//     advance_centre()               points whose stencils stay within their tile
//     unpack, advance_border()       the others
//     finish()                       f^(n+1) is what is known, its rows are summed
//
// Every part computes the same whatever the order, the tiles, the ranks and the threads.
#pragma once

#include "vlasov/advection.h"
#include "vlasov/field.h"
#include "vlasov/tiles.h"

#include <string>
#include <vector>

namespace vlasov {

struct Setup {
    Grid grid;
    Decomposition decomposition;
    double dt;
    Solve solve;
    bool messages_alone; // what arrives is marked message by message (tiles.h)
};

class Simulation {
  public:
    explicit Simulation(const Setup &setup);

    // f at each point, by all threads.
    template <typename F> void set(F f) {
#pragma omp parallel for
        for (int t = 0; t < tiles_.count(); ++t)
            set_tile(tiles_[t], f);
        begun();
    }

    // After f has been set in another way, with what the steps before have found.
    void go_on(const std::vector<double> &field, const std::vector<Moment> &history) {
        field_.go_on(field, history);
        begun();
    }

    // The points that this rank has advanced, in all steps.
    std::int64_t advanced();

    const Grid &grid() const { return grid_; }
    Tiles &tiles() { return tiles_; }
    Field &field() { return field_; }
    const Field &field() const { return field_; }
    double dt() const { return dt_; }

    void add_up();
    void solve();
    // When all steps are done: the field after the last one.
    void look_at_end() {
        add_up();
        solve();
    }

    // These work on a tile; calls for different tiles may run at the same time.
    void copy(Tile &tile) const;
    void pack(Tile &tile) const;
    void advance_centre(Tile &tile) const;
    void advance_border(Tile &tile) const; // unpacks first
    void finish(Tile &tile) const;

    // Says why the steps cannot continue; empty if they can. It is the same on all ranks.
    const std::string &stopped() const { return stopped_; }

  private:
    template <typename F> void set_tile(Tile &tile, F f) {
        for (int v = 0; v < tile.edge; ++v)
            for (int x = 0; x < tile.edge; ++x)
                tile.now()[v * tile.stride + x] =
                    f(grid_.x(tile.first_x + x), grid_.v(tile.first_v + v));
    }
    void begun();

    Grid grid_;
    double dt_;
    Tiles tiles_;
    Field field_;
    Advection advection_;
    std::vector<double> sums_;
    std::string stopped_;
};

// Returns a checksum of all values of f, whichever rank has them: the same for the same values
// only. All ranks call it.
std::string fingerprint(Simulation &simulation);

} // namespace vlasov
