// Hunts races of fork() with other threads: the child inherits locks, lists and counts half-changed
// from threads that it does not have. Other threads run tasks that suspend, in regions of their
// own; each child goes on with OpenMP as if it were alone. The sanitizers support no threads in
// such a child: ThreadSanitizer's lock for an atomic variable, or AddressSanitizer's for memory,
// stays taken if another thread had it. So under them children end at once, and they look at what
// forks do to the parent's threads.
// usage: forks [SECONDS [FORKS]]; silent unless something is wrong.
// env: OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=10
// flags: -Wno-sign-compare
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "../programs/check.h"
#include "../programs/omp_decls.h"
#include "seconds.h"

enum { kTasks = 24, kPatience = 60 };

/// Tasks that yield, wait for their children, wait for a lock that is held by a task that yields,
/// depend on each other, and belong to a taskgroup that is cancelled.
static void work(int threads) {
    _Atomic int done = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        int chain = 0;
        (void)chain;
        for (int i = 0; i < kTasks; ++i) {
#pragma omp task priority(i % 4)
            {
#pragma omp task
                {
#pragma omp taskyield
                    atomic_fetch_add(&done, 1);
                }
#pragma omp taskwait
                omp_set_lock(&lock);
#pragma omp taskyield
                omp_unset_lock(&lock);
                atomic_fetch_add(&done, 1);
            }
#pragma omp task depend(inout : chain)
            {
#pragma omp taskyield
                atomic_fetch_add(&done, 1);
            }
        }
#pragma omp taskgroup
        for (int i = 0; i < 4; ++i) {
#pragma omp task
            {
#pragma omp taskyield
#pragma omp cancel taskgroup
            }
        }
    }
    omp_destroy_lock(&lock);
    CHECK_EQ(done, 3 * kTasks);
}

static int in_child;
/// LeakSanitizer would look for the parent's threads in the child, and report that they are
/// missing.
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return in_child; }

static void go_on_in_child(int threads) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    (void)threads;
#else
    work(threads);
    work(threads + 1);
#endif
}

static void fork_once(int threads) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        in_child = 1;
        alarm(kPatience);
        go_on_in_child(threads);
        _exit(0);
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        fprintf(stderr, "forks: a child was ended by signal %d\n", WTERMSIG(status));
    CHECK_EQ(status, 0);
}

static double until;
static long most_forks = 1L << 30;
static _Atomic long forks;

static int go_on(void) { return forks < most_forks && seconds_now() < until; }

/// A thread of the program that forks, and has regions of its own now and then.
static void *forker(void *argument) {
    const int own_regions = argument != NULL;
    while (go_on()) {
        if (own_regions)
            work(2);
        fork_once(1 + (int)(forks % 3));
        atomic_fetch_add(&forks, 1);
    }
    return NULL;
}

int main(int argc, char **argv) {
    const char *setting = getenv("LOOMP_STRESS_SECONDS");
    until = seconds_now() + (argc > 1 ? atof(argv[1]) : setting != NULL ? atof(setting) : 5);
    if (argc > 2)
        most_forks = atol(argv[2]);
    omp_set_dynamic(0);
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, forker, i == 0 ? NULL : threads);
    while (go_on()) {
        for (int i = 0; i < 20; ++i)
            work(3);
        fork_once(3);
        atomic_fetch_add(&forks, 1);
    }
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    if (argc > 1)
        printf("%ld forks\n", (long)forks);
    return 0;
}
