// From one mesh to the next one, whose cells are those of the first, or children of one, or what a
// family of children is joined to. Values go to where the curve puts the cells now, on any rank.
// Sums of the unknowns stay as they are, but for rounding.
#pragma once

#include "enclave/domain.h"

namespace enclave {

// Allocates the patches of `to` and sets their values. All ranks call it; both domains have the
// same problem.
void transfer(const Domain &from, Domain &to);

} // namespace enclave
