/* A process whose main thread never uses OpenMP: a tool sees the end of the threads that another
   thread's region has left.
   flags: -rdynamic */
#include "ompt_tool.h"

#include <pthread.h>

static atomic_int members;

static void *region(void *unused) {
    (void)unused;
#pragma omp parallel num_threads(3)
    ++members;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, region, NULL);
    pthread_join(thread, NULL);
    return 0;
}

static void check_events(void) {
    int begun = 0, ended = 0;
    for (int i = 0; i < event_count; ++i) {
        begun += events[i].event == ompt_callback_thread_begin;
        ended += events[i].event == ompt_callback_thread_end;
    }
    CHECK(members == 3);
    CHECK(begun == 3 && ended == 3);
}
