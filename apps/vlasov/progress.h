// How far the run is: a line on stderr each second, by the first rank.
#pragma once

#include "common/each_second.h"

#include <cstdio>

namespace vlasov {

class Progress {
  public:
    Progress(bool tells, int first, int last, double dt)
        : clock_(tells), first_(first), last_(last), dt_(dt) {}

    // Called before step `step`.
    void tell(int step) {
        if (!clock_.due(step == last_))
            return;
        const double seconds = clock_.seconds();
        const double left = step > first_ ? seconds / (step - first_) * (last_ - step) : 0;
        std::fprintf(stderr, "step %d of %d, t = %g, %.0f s, %.0f s left\n", step, last_,
                     step * dt_, seconds, left);
    }

  private:
    apps::EachSecond clock_;
    int first_, last_;
    double dt_;
};

} // namespace vlasov
