// How far the run is: a line on stderr each second, by the first rank.
#pragma once

#include "common/each_second.h"
#include "enclave/state.h"

#include <cstdio>

namespace enclave {

class Progress {
  public:
    Progress(bool tells, double first, double end) : clock_(tells), first_(first), end_(end) {}

    // Called before a step. `updates`: of volumes, so far.
    void tell(const State &state, int cells, double updates) {
        if (!clock_.due(state.time == end_))
            return;
        const double seconds = clock_.seconds();
        const double done = (state.time - first_) / (end_ - first_);
        std::fprintf(stderr,
                     "step %d, t = %g of %g, %d cells, %.3g volumes/s, %.0f s, %.0f s left\n",
                     state.steps, state.time, end_, cells, seconds > 0 ? updates / seconds : 0,
                     seconds, done > 0 ? seconds / done - seconds : 0);
    }

  private:
    apps::EachSecond clock_;
    double first_, end_;
};

} // namespace enclave
