// The two loops that a device runs (offloadable.h), as target tasks among the others. Each is for
// several element tiles: a copy to the device, the loop, a copy back. Values that the loops read at
// nodes are copied when the nodes have moved, by tasks for several node tiles, once for both loops:
// for this step's kinematics and for the next one's stresses. The rest stays on the device.
//
// Without a device the host runs the same tasks.
#pragma once

#include "lulesh/domain.h"
#include "lulesh/tiles.h"

#include <vector>

namespace lulesh {

class Offload {
  public:
    // The counts of a step.
    struct Made {
        long tasks = 0;
        long dependences = 0;
    };

    // Whether this program can: otherwise there must be none.
    static bool available();
    // At most `tasks` of each kind. The data that the loops use is mapped while this object lives.
    Offload(Domain &domain, const Tiles &tiles, int tasks);
    ~Offload();
    Offload(const Offload &) = delete;
    Offload &operator=(const Offload &) = delete;

    // The thread that chooses the time step calls it, when it is chosen.
    void note_step(const TimeStep &step) { step_length_[0] = step.length; }

    // These make tasks. `node`, `element` and `stress` are marks by tile, as in creator.h.
    Made copy_step(const TimeStep *step);
    Made copy_nodes(double *node);
    // After tasks that write stressed()[tile]; leaves the volumes that the Jacobians give in
    // determinants().
    Made integrate_stresses(double *stress);
    Made find_kinematics(double *element);

    std::vector<double> &stressed() { return stressed_; }
    const double *determinants() const { return determinant_.get(); }

  private:
    // Consecutive tiles.
    struct Part {
        Range tiles;
        Range places;                // their elements, or nodes
        std::vector<int> nodes_read; // the parts of the nodes that elements read
    };

    struct Mapped {
        double *values;
        std::size_t size;
    };

    template <typename Tile>
    static std::vector<Part> cut(const std::vector<Tile> &tiles, Range Tile::*places, int tasks);

    Domain &domain_;
    std::vector<Part> elements_;
    std::vector<Part> nodes_;
    std::vector<Mapped> mapped_;
    Array<double> determinant_;
    Array<double> step_length_;
    std::vector<double> stressed_; // marks, by element tile
    std::vector<double> copied_;   // by part of the nodes
};

} // namespace lulesh
