#include "enclave/traversal.h"

namespace enclave {

void run_bsp(Traversal &traversal) {
    const std::vector<Piece> &subdomains = traversal.partition().subdomains();
    const int count = static_cast<int>(subdomains.size());
#pragma omp parallel
    {
#pragma omp for schedule(static, 1) nowait
        for (int s = 0; s < count; ++s)
            for (int cell = subdomains[s].first; cell < subdomains[s].last; ++cell)
                traversal.advance(cell);
        traversal.skeletons_done();
    }
}

} // namespace enclave
