/* A program whose first use of OpenMP is a lock: the tool starts before it, and is notified.
   flags: -rdynamic */
#include "ompt_tool.h"

#include <omp.h>

static void check_events(void) {
    int locks = 0;
    for (int i = 0; i < event_count; ++i)
        locks += events[i].event == ompt_callback_lock_init;
    CHECK(locks == 2);
}

int main(void) {
    omp_lock_t lock;
    omp_nest_lock_t nested;
    omp_init_lock(&lock);
    CHECK(tool_get_thread_data != NULL);
    omp_init_nest_lock(&nested);
    omp_destroy_nest_lock(&nested);
    omp_destroy_lock(&lock);
    return failures;
}
