/* A tool that is stopped while the program continues: it has seen the end of every thread, and sees
   nothing of what comes later.
   flags: -rdynamic */
#include "ompt_tool.h"

#include <omp.h>

enum { kThreads = 4, kStopTool = 3 };

static int events_at_stop, sum;

static void region(void) {
    sum = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
    sum += omp_get_thread_num();
    CHECK(sum == kThreads * (kThreads - 1) / 2);
}

int main(void) {
    const omp_pause_resource_t stop_tool = (omp_pause_resource_t)kStopTool;
    region();
    CHECK(omp_pause_resource(stop_tool, omp_get_initial_device()) != 0);
#pragma omp parallel num_threads(2)
    CHECK(omp_pause_resource_all(stop_tool) != 0);
    CHECK(!finalized);
    omp_set_num_threads(3);
    CHECK(omp_pause_resource_all(stop_tool) == 0);
    CHECK(finalized);
    CHECK(omp_get_max_threads() == 3);
    events_at_stop = event_count;
    region();
    CHECK(omp_pause_resource_all(stop_tool) == 0);
    return 0;
}

static void check_events(void) {
    CHECK(event_count == events_at_stop);
    CHECK(count(ompt_callback_thread_begin, -1, -1) == kThreads);
}
