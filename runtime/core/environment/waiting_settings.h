// The settings of threads that wait, and of pollers (settings.h).
#pragma once

#include <cstdint>

namespace loomp::core {

enum class WaitPolicy : int { unset, active, passive };

inline constexpr std::uint64_t kSpinForever = ~std::uint64_t{0};

/// With more threads than processors: a spinning thread keeps a working one from its processor.
inline constexpr std::uint64_t kMostLooksWithoutRoom = 100;

struct WaitingSettings {
    WaitPolicy wait_policy = WaitPolicy::unset;
    std::uint64_t spin_count = 0;                ///< looks for work before sleeping
    std::uint64_t spin_count_oversubscribed = 0; ///< `spin_count` with more threads than processors
    /// Nanoseconds after which the helper polls (runtime/core/progress/poller.h); 0: there is none.
    std::int64_t progress_bound = 1'000'000;
    /// Nanoseconds of idleness after which pollers are told that the program is stuck; 0: never.
    std::int64_t stuck_after = 600'000'000'000;
};

const WaitingSettings &waiting_settings();

} // namespace loomp::core
