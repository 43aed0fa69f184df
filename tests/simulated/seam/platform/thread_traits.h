// The threads of the simulated machine have no properties to inherit; some can still not become
// what another one is, as the seed decides.
#pragma once

#include "tests/simulated/machine.h"

namespace loomp {

class ThreadTraits {
  public:
    static ThreadTraits of_new_thread() { return {}; }
    bool can_become(const ThreadTraits &) const { return simulated::any_below(8) != 0; }
    void adopt() const {}
};

} // namespace loomp
