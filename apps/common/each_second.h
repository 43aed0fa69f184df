// When to tell how far a run is: once a second, and at its end; on stderr, by the first rank.
#pragma once

#include "common/ranks.h"

#include <chrono>

namespace apps {

class EachSecond {
  public:
    explicit EachSecond(bool tells) : tells_(tells && ranks::first()) {}

    // Whether a second has gone by since it was true, or this is the end.
    bool due(bool end) {
        if (!tells_)
            return false;
        const auto now = Clock::now();
        if (now - told_ < std::chrono::seconds(1) && !end)
            return false;
        told_ = now;
        return true;
    }
    // Since the start.
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    bool tells_;
    Clock::time_point begun_ = Clock::now();
    Clock::time_point told_ = begun_;
};

} // namespace apps
