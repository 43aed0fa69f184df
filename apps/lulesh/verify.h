// Checks of the answer by what is known of it.
#pragma once

#include "common/report.h"
#include "lulesh/domain.h"

#include <vector>

namespace lulesh {

// Both on the first rank.
void tell_result(const Domain &domain, apps::Report &report);
// `edge` is the number of elements along an edge of the whole, `energies` those of all ranks'
// elements; `complete`: the run went on up to the end time.
void verify(const Domain &domain, const std::vector<double> &energies, int edge, bool complete,
            apps::Report &report);

} // namespace lulesh
