/* Inquiries change nothing: an allocator of the program's own asks at every allocation, also while
   the runtime starts, and a signal handler asks on any thread. Threads outside OpenMP are alone on
   level 0. The number of processors is that of the moment.

   sanitizers: no
   threads: 3
   env: OMP_DYNAMIC=false OMP_MAX_ACTIVE_LEVELS=2 OMP_MAX_TASK_PRIORITY=5
   flags: -D_GNU_SOURCE */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "check.h"
#include "omp_decls.h"

int omp_get_place_num(void);
int omp_get_num_places(void);

/* All that has a known answer outside parallel regions; returns what is wrong. */
static int wrong_outside(void) {
    int kind = 0, chunk = 0;
    omp_get_schedule((omp_sched_t *)&kind, &chunk);
    return (omp_get_thread_num() != 0) + (omp_get_num_threads() != 1) + (omp_in_parallel() != 0) +
           (omp_get_level() != 0) + (omp_get_active_level() != 0) + (omp_in_final() != 0) +
           (omp_get_num_teams() != 1) + (omp_get_team_num() != 0) +
           (omp_get_ancestor_thread_num(0) != 0) + (omp_get_ancestor_thread_num(1) != -1) +
           (omp_get_team_size(0) != 1) + (omp_get_team_size(1) != -1) +
           (omp_get_place_num() != -1) + (omp_get_num_places() != 0);
}
static int wrong_settings(void) {
    return (omp_get_max_threads() != 3) + (omp_get_dynamic() != 0) +
           (omp_get_max_active_levels() != 2) + (omp_get_max_task_priority() != 5) +
           (omp_get_thread_limit() != INT_MAX) + (omp_get_cancellation() != 0);
}

/* --- The allocator. It may run before the library has started. ----------------------------------
 */

extern void *__libc_malloc(size_t);
static int allocations, wrong_numbers;

void *malloc(size_t size) {
    const int number = omp_get_thread_num(), limit = omp_get_max_threads();
    if (number < 0 || number > 2 || limit < 1 || omp_get_num_procs() < 1)
        __atomic_store_n(&wrong_numbers, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_malloc(size);
}

/* --- The handler --------------------------------------------------------------------------------
 */

static volatile int ticks, wrong_ticks, sink;

static void handle(int signal) {
    (void)signal;
    const int error = errno;
    const int number = omp_get_thread_num(), size = omp_get_num_threads();
    if (number < 0 || number > 2 || size < 1 || size > 3 || omp_get_level() > 1 ||
        omp_get_max_threads() < 1 || omp_get_num_procs() < 1)
        wrong_ticks = 1;
    sink += omp_in_parallel() + omp_in_final() + omp_get_thread_limit() + omp_get_team_size(1) +
            (omp_get_wtime() > 0);
    ticks = ticks + 1;
    errno = error;
}

static int ended;

static void *allocate(void *argument) {
    (void)argument;
    do {
        void *blocks[50];
        for (int i = 0; i < 50; i++)
            blocks[i] = malloc(10 + (size_t)i * 40);
        for (int i = 0; i < 50; i++)
            free(blocks[i]);
    } while (!__atomic_load_n(&ended, __ATOMIC_RELAXED));
    return NULL;
}

/* A thread that uses OpenMP and ends. */
static void *use_and_end(void *argument) {
    int *sum = (int *)argument;
#pragma omp parallel num_threads(2)
#pragma omp atomic
    *sum += 1;
    return NULL;
}

static void interrupted(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    CHECK_EQ(sigaction(SIGPROF, &action, NULL), 0);
    const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    CHECK_EQ(setitimer(ITIMER_PROF, &often, NULL), 0);
    pthread_t thread, short_lived[10];
    CHECK_EQ(pthread_create(&thread, NULL, allocate, NULL), 0);
    int sum = 0, rounds = 0, regions = 0;
    const double end = omp_get_wtime() + 1;
    while (omp_get_wtime() < end) {
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < 200; i++) {
#pragma omp task depend(inout : sum)
            {
                free(malloc(64));
                sum++;
            }
        }
        rounds++;
        for (int i = 0; i < 10; i++)
            CHECK_EQ(pthread_create(&short_lived[i], NULL, use_and_end, &regions), 0);
        for (int i = 0; i < 10; i++)
            pthread_join(short_lived[i], NULL);
    }
    __atomic_store_n(&ended, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    CHECK_EQ(setitimer(ITIMER_PROF, &never, NULL), 0);
    CHECK_EQ(sum, rounds * 200);
    CHECK_EQ(regions, rounds * 20);
    CHECK(ticks > 0);
    CHECK_EQ(wrong_ticks, 0);
}

/* --- A thread outside OpenMP, and processors ----------------------------------------------------
 */

static void *ask_outside(void *argument) {
    (void)argument;
    const int before = __atomic_load_n(&allocations, __ATOMIC_RELAXED);
    CHECK_EQ(wrong_outside(), 0);
    CHECK_EQ(wrong_settings(), 0);
    CHECK_EQ(__atomic_load_n(&allocations, __ATOMIC_RELAXED), before);
    return NULL;
}

/* clang takes the number for a constant, and would call the function once. */
static int (*const volatile num_procs)(void) = omp_get_num_procs;

static void count_processors(void) {
    cpu_set_t all, one;
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(num_procs(), CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET((size_t)i, &all)) {
            CPU_SET((size_t)i, &one);
            break;
        }
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_EQ(num_procs(), 1);
    omp_set_dynamic(1);
    int count = 0;
#pragma omp parallel num_threads(3) reduction(+ : count)
    count++;
    CHECK_EQ(count, 1);
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(num_procs(), CPU_COUNT(&all));
    omp_set_dynamic(0);
}

int main(void) {
    CHECK(allocations >= 0);
    CHECK_EQ(wrong_outside(), 0);
    CHECK_EQ(wrong_settings(), 0);
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, ask_outside, NULL), 0);
    pthread_join(thread, NULL);
    count_processors();
    interrupted();
    CHECK_EQ(wrong_outside(), 0);
    CHECK_EQ(wrong_numbers, 0);
    return 0;
}
