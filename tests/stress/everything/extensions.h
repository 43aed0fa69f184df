// loomp's own functions, which the program has when it runs on loomp.
#pragma once

#define LOOMP_WEAK
#include <loomp/experimental.h>

#include "../support.h"

namespace extensions {

/// Named queues, which LOOMP_QUEUE_ORDER may name, too.
constexpr int kQueues = 2;
constexpr const char *kQueueNames[kQueues] = {"first", "second"};
inline int queues[kQueues];

inline void find() {
    if (loomp_suspend == nullptr)
        fail("loomp's functions are not there: is this loomp?");
    for (int i = 0; i < kQueues; ++i)
        queues[i] = loomp_queue(kQueueNames[i], LOOMP_ANY_PLACE);
}

} // namespace extensions
