// How far the run is: a line on stderr each second, by the first rank.
#pragma once

#include "common/ranks.h"

#include <chrono>
#include <cstdio>

namespace vlasov {

class Progress {
  public:
    Progress(bool tells, int first, int last, double dt)
        : tells_(tells && apps::ranks::first()), first_(first), last_(last), dt_(dt) {}

    // Before step `step`.
    void tell(int step) {
        if (!tells_)
            return;
        const auto now = Clock::now();
        if (now - told_ < std::chrono::seconds(1) && step != last_)
            return;
        told_ = now;
        const double seconds = std::chrono::duration<double>(now - begun_).count();
        const double left = step > first_ ? seconds / (step - first_) * (last_ - step) : 0;
        std::fprintf(stderr, "step %d of %d, t = %g, %.0f s, %.0f s left\n", step, last_,
                     step * dt_, seconds, left);
    }

  private:
    using Clock = std::chrono::steady_clock;
    bool tells_;
    int first_, last_;
    double dt_;
    Clock::time_point begun_ = Clock::now();
    Clock::time_point told_ = begun_;
};

} // namespace vlasov
