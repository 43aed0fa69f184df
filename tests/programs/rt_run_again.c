/* Tasks whose code is run again (loomp/loomp.h): made ready where it has returned, or later by a
 * thread of the program's, and what depends on them waits for their last run. */
#include "check.h"
#include "omp_decls.h"

#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#define LOOMP_WEAK
#include <loomp/loomp.h>

enum { N = 200, kRuns = 5 };

typedef struct {
    loomp_task_t *task;
    _Atomic int waits; /* to be made ready by the thread */
    int runs, returns, ends;
} Polling;

static Polling pollings[N];
static _Atomic int over;

static void *make_ready(void *unused) {
    while (!over) {
        for (int i = 0; i < N; ++i) {
            if (pollings[i].waits) {
                loomp_task_t *task = pollings[i].task;
                pollings[i].waits = 0;
                loomp_make_ready(task);
            }
        }
        sched_yield();
    }
    CHECK(loomp_task_self() == NULL);
    return unused;
}

static void returned(void *data, int ends) {
    Polling *polling = data;
    ++polling->returns;
    polling->ends += ends;
    if (ends)
        return;
    if (polling->runs % 2)
        loomp_make_ready(polling->task);
    else
        polling->waits = 1;
}

static void run(Polling *polling) {
    if (polling->runs == 0)
        polling->task = loomp_task_self();
    CHECK(polling->task == loomp_task_self());
    if (polling->runs < 2) /* a later call replaces an earlier one; without one it stays */
        CHECK(loomp_when_returned(returned, polling) == 0);
    if (++polling->runs < kRuns)
        loomp_run_again();
}

static void never(void *data, int ends) {
    (void)data;
    (void)ends;
    CHECK(0);
}

int main(void) {
    CHECK(loomp_task_self() != NULL);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, make_ready, NULL) == 0);
    int ended = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; ++i) {
#pragma omp task depend(out : pollings[i])
        run(&pollings[i]);
#pragma omp task depend(in : pollings[i]) shared(ended)
        {
            const Polling *polling = &pollings[i];
            CHECK(polling->runs == kRuns && polling->returns == kRuns && polling->ends == 1);
#pragma omp atomic
            ++ended;
        }
    }
    CHECK(ended == N);
    over = 1;
    pthread_join(thread, NULL);

#pragma omp parallel num_threads(1)
    {
        CHECK(loomp_when_returned(never, NULL) == 1);
#pragma omp task if (0)
        CHECK(loomp_when_returned(never, NULL) == 1);
#pragma omp task final(1)
        CHECK(loomp_when_returned(never, NULL) == 1);
#pragma omp task untied
        CHECK(loomp_when_returned(never, NULL) == 1);
    }
    return 0;
}
