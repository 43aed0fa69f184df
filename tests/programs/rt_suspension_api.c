/* include/loomp/loomp.h from a program: a library of timers whose waits hold up tasks, not threads.
 * threads: 1
 * flags: -Wno-unused-result */
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include <loomp/loomp.h>

/* The program is linked with the stock runtime: loomp's names are found when it runs on loomp. */
static __typeof__(&loomp_in_task) in_task;
static __typeof__(&loomp_suspend) suspend;
static __typeof__(&loomp_resume) resume;
static __typeof__(&loomp_poller_register) poller_register;
static __typeof__(&loomp_poller_unregister) poller_unregister;
static __typeof__(&loomp_poller_expect) poller_expect;
static __typeof__(&loomp_poller_get_statistics) get_statistics;

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
        resume(&waiting[i]);
    return N;
}

static void *resume_later(void *suspension) {
    struct timespec time = {0, 1000000};
    nanosleep(&time, 0);
    resume(suspension);
    return 0;
}

int main(void) {
#define FIND(variable, name)                                                                       \
    CHECK((variable = (__typeof__(variable))dlsym(RTLD_DEFAULT, #name)) != 0)
    FIND(in_task, loomp_in_task);
    FIND(suspend, loomp_suspend);
    FIND(resume, loomp_resume);
    FIND(poller_register, loomp_poller_register);
    FIND(poller_unregister, loomp_poller_unregister);
    FIND(poller_expect, loomp_poller_expect);
    FIND(get_statistics, loomp_poller_get_statistics);

    CHECK(!in_task());
    poller = poller_register("all at once", poll_all, 0);
    CHECK(poller != 0);
    int gone_on = 0;
#pragma omp parallel
#pragma omp single
    {
        CHECK(in_task());
        for (int i = 0; i < N; ++i)
#pragma omp task shared(gone_on)
        {
            CHECK(in_task());
            poller_expect(poller, 1);
            atomic_fetch_add(&announced, 1);
            suspend(&waiting[i]);
#pragma omp atomic
            ++gone_on;
        }
    }
    CHECK(gone_on == N);
    loomp_poller_statistics_t statistics;
    get_statistics(poller, &statistics);
    CHECK(statistics.hits == 1 && statistics.completions == N && statistics.polls >= 1);
    poller_unregister(poller);
    poller_unregister(0);

    /* Outside a region the thread waits. */
    loomp_suspension_t later = LOOMP_SUSPENSION_INIT;
    pthread_t thread;
    pthread_create(&thread, 0, resume_later, &later);
    suspend(&later);
    pthread_join(thread, 0);
    return 0;
}
