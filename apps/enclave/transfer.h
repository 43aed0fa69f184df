// From one mesh to the next one, whose cells are those of the first, or children of one, or what a
// family of children is joined to. Values go to where the curve puts the cells now, on any rank.
// Sums of the unknowns stay as they are, but for rounding.
#pragma once

#include "enclave/domain.h"

namespace enclave {

// By all ranks; both have the same problem. Allocates the patches of `to` and sets their values.
void transfer(const Domain &from, Domain &to);

} // namespace enclave
