// loomp's own functions, found when the program runs on loomp.
#pragma once

#include <dlfcn.h>

#include <loomp/experimental.h>

#include "../support.h"

namespace extensions {

#define LOOMP_FUNCTION(name) inline decltype(&loomp_##name) name
LOOMP_FUNCTION(suspend);
LOOMP_FUNCTION(resume);
LOOMP_FUNCTION(in_task);
LOOMP_FUNCTION(hold_task);
LOOMP_FUNCTION(release_task);
LOOMP_FUNCTION(persistent_begin);
LOOMP_FUNCTION(persistent_end);
LOOMP_FUNCTION(persistent_free);
LOOMP_FUNCTION(task_kind);
LOOMP_FUNCTION(next_task_kind);
LOOMP_FUNCTION(queue);
LOOMP_FUNCTION(next_task_queue);
LOOMP_FUNCTION(queue_put);
#undef LOOMP_FUNCTION

/// Named queues, which LOOMP_QUEUE_ORDER may name, too.
constexpr int kQueues = 2;
constexpr const char *kQueueNames[kQueues] = {"first", "second"};
inline int queues[kQueues];

template <class Function> void find_one(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
    if (function == nullptr)
        fail("no %s: is this loomp?", name);
}

inline void find() {
    find_one(suspend, "loomp_suspend");
    find_one(resume, "loomp_resume");
    find_one(in_task, "loomp_in_task");
    find_one(hold_task, "loomp_hold_task");
    find_one(release_task, "loomp_release_task");
    find_one(persistent_begin, "loomp_persistent_begin");
    find_one(persistent_end, "loomp_persistent_end");
    find_one(persistent_free, "loomp_persistent_free");
    find_one(task_kind, "loomp_task_kind");
    find_one(next_task_kind, "loomp_next_task_kind");
    find_one(queue, "loomp_queue");
    find_one(next_task_queue, "loomp_next_task_queue");
    find_one(queue_put, "loomp_queue_put");
    for (int i = 0; i < kQueues; ++i)
        queues[i] = queue(kQueueNames[i], LOOMP_ANY_PLACE);
}

} // namespace extensions
