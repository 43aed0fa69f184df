/* include/loomp/loomp.h from a program: a library of timers whose waits hold up tasks, not threads.
 * threads: 1
 * flags: -Wno-unused-result */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define LOOMP_WEAK
#include <loomp/loomp.h>

enum { N = 1000 };
static loomp_suspension_t waiting[N];
static atomic_int announced, resumed;
static loomp_poller_t *poller;

/* Everybody is resumed, last first, once all wait. */
static int poll_all(void *data) {
    (void)data;
    if (atomic_load(&announced) < N || atomic_exchange(&resumed, 1))
        return 0;
    for (int i = N - 1; i >= 0; --i)
        loomp_resume(&waiting[i]);
    return N;
}

static void *resume_later(void *suspension) {
    struct timespec time = {0, 1000000};
    nanosleep(&time, 0);
    loomp_resume(suspension);
    return 0;
}

int main(void) {

    CHECK(!loomp_in_task());
    poller = loomp_poller_register("all at once", poll_all, 0);
    CHECK(poller != 0);
    int gone_on = 0;
#pragma omp parallel
#pragma omp single
    {
        CHECK(loomp_in_task());
        for (int i = 0; i < N; ++i)
#pragma omp task shared(gone_on)
        {
            CHECK(loomp_in_task());
            loomp_poller_expect(poller, 1);
            atomic_fetch_add(&announced, 1);
            loomp_suspend(&waiting[i]);
#pragma omp atomic
            ++gone_on;
        }
    }
    CHECK(gone_on == N);
    loomp_poller_statistics_t statistics;
    loomp_poller_get_statistics(poller, &statistics);
    CHECK(statistics.hits == 1 && statistics.completions == N && statistics.polls >= 1);
    loomp_poller_unregister(poller);
    loomp_poller_unregister(0);

    /* Outside a region the thread waits. */
    loomp_suspension_t later = LOOMP_SUSPENSION_INIT;
    pthread_t thread;
    pthread_create(&thread, 0, resume_later, &later);
    loomp_suspend(&later);
    pthread_join(thread, 0);
    return 0;
}
