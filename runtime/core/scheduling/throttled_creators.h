// Throttled creators, as those who complete their children see them. The protocol is that of
// runtime/core/scheduling/throttle.h, on the children word.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

/// Creators now throttled: those who complete tasks tell of it sooner.
LOOMP_HIDDEN extern Atomic<int> throttled_creators;

/// Whether a throttled creator whose children's word is `word` may continue.
inline bool few_enough(const Task &creator, std::uint64_t word) {
    return static_cast<std::int32_t>(children::live(word)) <=
           creator.predecessors.permitted_children();
}

/// If `creator` is throttled, it is to go on all the same.
void let_creator_go_on(Task &creator);

/// Children of `parent`, whose word shows kWaitFewer, have completed or were released.
void fewer_children(Task &parent, std::uint64_t word);

} // namespace loomp::core
