// The way of a region's threads through the subdomains of a rank: skeleton cells are advanced at
// once, and what becomes of an enclave is the mode's.
#pragma once

#include "enclave/traversal.h"

namespace enclave {

// All threads of a parallel region call it. It calls enclave(cell, subdomain) on the thread that
// goes through that; ended() when this has gone through all of its own.
template <class Enclave, class Ended>
void walk(Traversal &traversal, const Enclave &enclave, const Ended &ended) {
    const Partition &partition = traversal.partition();
    const std::vector<Piece> &subdomains = partition.subdomains();
    const int count = static_cast<int>(subdomains.size());
    traversal.begin_messages();
#pragma omp for schedule(static, 1) nowait
    for (int s = 0; s < count; ++s) {
        for (int cell = subdomains[s].first; cell < subdomains[s].last; ++cell) {
            if (partition.is_skeleton(cell)) {
                traversal.advance_skeleton(cell);
                continue;
            }
            traversal.hand_over(cell);
            enclave(cell, s);
        }
    }
    traversal.skeletons_done();
    ended();
}

} // namespace enclave
