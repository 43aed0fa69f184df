// loomp's own functions, which the program has when it runs on loomp.
#pragma once

#define LOOMP_WEAK
#include <loomp/experimental.h>

#include "../support.h"

namespace extensions {

/// Named queues.
constexpr int kQueues = 2;
constexpr const char *kQueueNames[kQueues] = {"first", "second"};
inline int queues[kQueues];

inline void find() {
    if (loomp_suspend == nullptr)
        fail("loomp's functions are not there: is this loomp?");
    for (int i = 0; i < kQueues; ++i)
        queues[i] = loomp_queue(kQueueNames[i], LOOMP_ANY_PLACE);
}

/// The calling thread's order from now on: one of four, or none.
inline void change_queue_order(Random &random) {
    const int order[] = {queues[0], LOOMP_OTHER_TASKS, queues[1]};
    loomp_set_queue_order(order + random.below(2), random.below(3));
}

} // namespace extensions
