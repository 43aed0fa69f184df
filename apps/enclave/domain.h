// The domain of a rank: the mesh, its part of it, the values there, and their steps.
#pragma once

#include "enclave/run.h"

namespace enclave {

class Domain {
  public:
    Domain(const Run &run, Mesh mesh);

    // function(cell) for each cell of this rank, by the threads that will advance them.
    template <class Function> void each(const Function &function);
    // Initial values.
    void start(int set);
    // Ready for a step that reads this set, when all values are there.
    void complete(int set);
    // The speed of the fastest signal on all ranks; infinite if a value is not a number.
    double speed() const;

    const Piece &own() const { return partition.own(); }

    const Problem &problem; // lives longer
    Mesh mesh;
    Partition partition;
    Field field;
    Halos halos;
    Traversal traversal;
};

template <class Function> void Domain::each(const Function &function) {
    const std::vector<Piece> &subdomains = partition.subdomains();
    const int count = static_cast<int>(subdomains.size());
#pragma omp parallel for schedule(static, 1)
    for (int s = 0; s < count; ++s)
        for (int cell = subdomains[s].first; cell < subdomains[s].last; ++cell)
            function(cell);
}

} // namespace enclave
