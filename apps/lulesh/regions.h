// The materials of a rank's elements. All of them are one gas; what differs is how many elements
// there are of each, how they lie, and how much their equation of state costs.
#pragma once

#include "lulesh/domain.h"

namespace lulesh {

// Deals the elements out to the regions, in runs of consecutive ones of random length; the same in
// every run of a rank. Fills region_start, region_element and region_repeats.
void distribute_regions(Domain &domain);

} // namespace lulesh
