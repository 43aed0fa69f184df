// The marks that the tasks of a step depend on. The tasks of an element tile come one after
// another, and so do those of a node tile (`element`, `node`); between tiles there are
//   stress, hourglass   corners' forces, to the node tiles that the corners lie in
//   node                positions and velocities, to the element tiles that read them
//   difference          velocity differences, to the neighbours
//   bounded, state      volumes to the equations of state, and pressures and the speed of sound
//   from
//                       them, if those have tiles of their own (Eos::loop); each such tile's tasks
//                       come one after another (`material`)
//   limit               the tile's constraints on the time step, to the step after
//   step                the time step, to all velocities and positions
//   arrived             other ranks' parts of those, by piece
// Everything else that one task leaves for another follows from these. So a step begins, up to the
// forces, while the one before ends.
//
// A rank receives what an exchange brings when it has sent its own parts: `order`. Nothing comes
// sooner by waiting earlier, since the neighbours do the same, and each request that is open has to
// be asked for: without it, 8 ranks on 2 processors took 1.3 to 1.8 times as long. If tasks that
// wait hold their thread, the time step has its place in that order, too, as between the parallel
// loops: a rank waits for others only when it has sent what they wait for, whatever the number of
// threads. On loomp they suspend, and the time step is found while forces are computed.
#pragma once

#include "common/ranks.h"
#include "lulesh/frontier.h"
#include "lulesh/material.h"
#include "lulesh/offload.h"
#include "lulesh/reads.h"
#include "lulesh/run.h"
#include "lulesh/tiles.h"
#include "lulesh/time_step.h"
#include "lulesh/written.h"

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace lulesh {

// The last time step that is known, for the thread that creates tasks.
class KnownStep {
  public:
    explicit KnownStep(const TimeStep &step) : step_(step) {}

    void set(const TimeStep &step) {
        const std::lock_guard<std::mutex> guard(changing_);
        step_ = step;
    }
    TimeStep get() {
        const std::lock_guard<std::mutex> guard(changing_);
        return step_;
    }

  private:
    std::mutex changing_;
    TimeStep step_;
};

using Marks = std::vector<double>;

// Makes the tasks of a step. Tasks take along what they need as plain pointers, so that their graph
// can be replayed: with gcc it could not with objects of classes.
class Creator {
  public:
    Creator(Domain &domain, Frontier &frontier, const Tiles &tiles, const Tasking &how);

    void create_step();
    TimeStep known() { return known_.get(); }

    // The counts of a step.
    long tasks() const { return tasks_; }
    long dependences() const { return dependences_; }

  private:
    void choose_step();
    void find_forces();
    void gather_forces();
    void move_nodes();
    void integrate_stresses_on(Offload &device);
    void update_elements();
    void find_viscosities();
    void update_materials();
    void evaluate_by_loops();
    void find_constraints();

    void choose_step_between();
    bool exchanged_between(Exchange &exchange, void (*take_all)(const Exchange &));
    void exchange_forces();
    void exchange_motion();
    void exchange_differences();
    void send(Exchange &exchange, Marks &marks, const std::vector<std::vector<int>> &tiles);
    void receive(Exchange &exchange, Marks &arrived);
    template <void (*how)(const Exchange &, const Piece &, Range)>
    void exchange_at_nodes(Exchange &exchange, void (*take_all)(const Exchange &), Marks &arrived,
                           const ExchangeTiles &met);
    template <void (*how)(const Exchange &, const Piece &, Range)>
    void take(Exchange &exchange, Marks &arrived, const ExchangeTiles &met);

    template <void (*loop)(Domain &, Range)> void element_loop(const char *label);
    template <void (*loop)(const Domain &, Range)> void element_check(const char *label);
    template <void (*loop)(Domain &, Range)>
    void node_loop(const char *label, const Written *written = nullptr);
    template <void (*loop)(Domain &, Range)>
    void element_loop_out(const char *label, Marks &marks, const Written &written);
    template <void (*loop)(Domain &, Range)> void material_loop(const char *label, Range tiles);
    template <std::size_t... i> void evaluate_rest(Range tiles, std::index_sequence<i...> loops);
    template <void (*loop)(Domain &, Range), class Tile>
    void gather_loop(const char *label, const std::vector<Tile> &tiles, Range Tile::*part,
                     Marks &own, const Reads &read);
    // The marks of material tiles; those of Eos::tile are element tiles.
    Marks &materials() { return tiles_.eos == Eos::loop ? material_ : element_; }

    void count(std::size_t dependences) {
        ++tasks_;
        dependences_ += long(dependences);
    }
    void count(const Offload::Made &made) {
        tasks_ += made.tasks;
        dependences_ += made.dependences;
    }

    Domain *domain_;
    Tiles tiles_;
    KnownStep known_;
    Frontier &frontier_;
    Tasking how_;
    ExchangeTiles forces_;
    ExchangeTiles motion_;
    std::vector<std::vector<int>> differences_sent_; // by outgoing piece: the tiles that it reads
    bool step_in_order_ = !apps::ranks::waiting_frees_threads();
    Marks element_, stress_, hourglass_, limit_, node_;
    Marks difference_;       // marks of element tiles, then of incoming pieces
    Marks material_, state_; // by material tile, Eos::loop
    Marks bounded_;          // by element tile
    Marks forces_arrived_, motion_arrived_, sent_;
    Reads stress_read_, hourglass_read_;                              // by node tile
    Reads nodes_read_, states_read_;                                  // by element tile
    Reads differences_read_, volumes_read_;                           // by material tile
    Written stress_written_, hourglass_written_, difference_written_; // by element tile
    Written states_written_;                                          // by material tile
    Written positions_written_;                                       // by node tile
    double order_ = 0;
    double step_order_ = 0;                   // the order of time steps alone
    std::vector<double> courant_, expansion_; // by material tile
    std::optional<Offload> offload_;
    long tasks_ = 0;
    long dependences_ = 0;
};

} // namespace lulesh
