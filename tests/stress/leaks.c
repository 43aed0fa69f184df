// Hunts leaks: threads, memory, mappings and descriptors after many regions. Their teams change,
// nest, are cancelled, belong to threads that end, and are far larger than the machine; tasks
// suspend. Meanwhile another process stops and continues this one, and the processors that it may
// use change.
// usage: leaks [SECONDS]; silent unless something is wrong; with SECONDS it prints counts. It takes
// a fifth of LOOMP_STRESS_SECONDS.
// env: OMP_CANCELLATION=true OMP_MAX_ACTIVE_LEVELS=2
// flags: -D_GNU_SOURCE -Wno-sign-compare
// nights: 600
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "../programs/check.h"
#include "../programs/omp_decls.h"
#include "seconds.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { kManyThreads = 50 };
#else
enum { kManyThreads = 1000 };
#endif

static long regions;

struct usage {
    long threads, descriptors, mappings, kilobytes;
};

static long entries(const char *folder) {
    long count = 0;
    DIR *open = opendir(folder);
    CHECK(open != NULL);
    while (readdir(open) != NULL)
        ++count;
    closedir(open);
    return count;
}

static struct usage usage_now(void) {
    struct usage now = {entries("/proc/self/task"), entries("/proc/self/fd"), 0, 0};
    FILE *maps = fopen("/proc/self/maps", "r");
    for (int c; (c = getc(maps)) != EOF;)
        now.mappings += c == '\n';
    fclose(maps);
    long pages = 0;
    FILE *memory = fopen("/proc/self/statm", "r");
    CHECK_EQ(fscanf(memory, "%*d %ld", &pages), 1);
    fclose(memory);
    now.kilobytes = pages * (sysconf(_SC_PAGESIZE) / 1024);
    return now;
}

static void run_tasks(int threads) {
    _Atomic int done = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        int chain = 0;
        (void)chain;
        for (int i = 0; i < 8; ++i) {
#pragma omp task depend(inout : chain)
            {
                omp_set_lock(&lock);
#pragma omp taskyield
                omp_unset_lock(&lock);
                atomic_fetch_add(&done, 1);
            }
        }
#pragma omp taskgroup
        for (int i = 0; i < 4; ++i) {
#pragma omp task
            if (i == 1) {
#pragma omp cancel taskgroup
            }
        }
    }
    CHECK_EQ(done, 8);
    omp_destroy_lock(&lock);
    ++regions;
}

static void run_regions(int threads) {
    _Atomic int members = 0;
#pragma omp parallel num_threads(threads)
    atomic_fetch_add(&members, 1);
    CHECK_EQ(members, threads);
    members = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(threads)
        atomic_fetch_add(&members, 1);
    }
    CHECK_EQ(members, 2 * threads);
#pragma omp parallel num_threads(threads)
    {
#pragma omp cancel parallel if (omp_get_thread_num() == threads - 1)
#pragma omp barrier
    }
    regions += 5;
}

/// A thread of the program's own, which ends.
static void *run_and_end(void *argument) {
    run_tasks(2);
    run_regions(2);
    return argument;
}

static void run_round(long round) {
    static const int sizes[] = {2, 4, 3, 1};
    run_regions(sizes[round % 4]);
    for (int i = 0; i < 20; ++i, ++regions) {
#pragma omp parallel num_threads(sizes[i / 8])
        ;
    }
    run_tasks(sizes[(round / 4) % 4]);
    if (round % 16 == 0) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, run_and_end, NULL), 0);
        pthread_join(thread, NULL);
    }
    if (round % 64 == 0) { // another set of processors, and all of them again
        cpu_set_t all, one;
        CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
        CPU_ZERO(&one);
        for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
            if (CPU_ISSET(i, &all))
                CPU_SET(i, &one);
        sched_setaffinity(0, sizeof one, &one);
        run_regions(3);
        sched_setaffinity(0, sizeof all, &all);
    }
}

static _Atomic int *stopping_ends; // shared with the other process

/// Stops and continues this process from outside.
static pid_t start_stopping(void) {
    const pid_t stopped = getpid();
    *stopping_ends = 0;
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (!*stopping_ends && getppid() == stopped) {
        kill(stopped, SIGSTOP);
        usleep(500);
        kill(stopped, SIGCONT);
        usleep(20000);
    }
    _exit(0);
}

static struct usage run_until(double time) {
    const pid_t stopping = start_stopping();
    for (long round = 0; round < 64 || seconds_now() < time; ++round)
        run_round(round);
    *stopping_ends = 1;
    CHECK_EQ(waitpid(stopping, NULL, 0), stopping);
    sleep(1);
    usleep(300000); // threads without work leave the pool after a second
    return usage_now();
}

int main(int argc, char **argv) {
    const char *setting = getenv("LOOMP_STRESS_SECONDS");
    const double length = argc > 1 ? atof(argv[1]) : (setting != NULL ? atof(setting) : 5) / 5;
    stopping_ends = mmap(NULL, sizeof *stopping_ends, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(stopping_ends != MAP_FAILED);
    omp_set_dynamic(0);
    _Atomic int members = 0;
#pragma omp parallel num_threads(kManyThreads)
    atomic_fetch_add(&members, 1);
    CHECK(members >= 1 && members <= kManyThreads);
    const struct usage first = run_until(seconds_now() + length / 3);
    const struct usage last = run_until(seconds_now() + length * 2 / 3);
    if (argc > 1)
        printf("%ld regions; threads %ld, %ld; descriptors %ld, %ld; mappings %ld, %ld; KiB %ld, "
               "%ld\n",
               regions, first.threads, last.threads, first.descriptors, last.descriptors,
               first.mappings, last.mappings, first.kilobytes, last.kilobytes);
    CHECK_EQ(last.threads, first.threads);
    CHECK_EQ(last.descriptors, first.descriptors);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    CHECK(last.mappings <= first.mappings + 16);
    CHECK(last.kilobytes <= first.kilobytes + 4096);
#endif
    return 0;
}
