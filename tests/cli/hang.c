/* Hangs in the way that its argument names. usage: hang event|events|lock|late|handler|busy
 * late: a thread that is not OpenMP's fulfils the event after a second; then the program looks
 * whether the signals have their actions of the start, and ends.
 * handler: event, with a handler of the program's own for SIGTERM, which ends it with status 3. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static omp_event_handle_t late;
static omp_lock_t lock;

static void *fulfill_late(void *unused) {
    sleep(1);
    omp_fulfill_event(late);
    return unused;
}

static void end(int signal) { _exit(signal == SIGTERM ? 3 : 4); }

static const int ended_by[] = {SIGTERM, SIGINT, SIGQUIT};
static struct sigaction at_start[NSIG];

static int is_as_at_start(int signal) {
    struct sigaction now;
    sigaction(signal, NULL, &now);
    return now.sa_handler == at_start[signal].sa_handler;
}

static void lose_event(int *value) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : *value) /* loses it */
    ++*value;
    late = event;
}

int main(int argc, char **argv) {
    const char *kind = argc > 1 ? argv[1] : "";
    int value = 0, other[5] = {0};
    pthread_t thread;
    omp_init_lock(&lock);
    for (int i = 0; i < 3; ++i)
        sigaction(ended_by[i], NULL, &at_start[ended_by[i]]);
    if (strcmp(kind, "handler") == 0)
        signal(SIGTERM, end);
#pragma omp parallel
#pragma omp single
    {
        if (strcmp(kind, "lock") == 0) {
            omp_set_lock(&lock);
#pragma omp task
            omp_set_lock(&lock); /* waits */
        } else {
            lose_event(&value);
            for (int i = 0; i < 5 && strcmp(kind, "events") == 0; ++i)
                lose_event(&other[i]);
#pragma omp task depend(in : value)
            value = 2;
            if (strcmp(kind, "late") == 0)
                pthread_create(&thread, NULL, fulfill_late, NULL);
            while (strcmp(kind, "busy") == 0)
                usleep(1000);
        }
    }
    pthread_join(thread, NULL);
    for (int looks = 0; looks < 100 && !is_as_at_start(SIGTERM); ++looks)
        usleep(50000);
    for (int i = 0; i < 3; ++i)
        if (!is_as_at_start(ended_by[i]))
            return 1;
    return value != 2;
}
