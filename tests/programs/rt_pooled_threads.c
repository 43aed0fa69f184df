/* A thread that worked for one thread of the program keeps nothing of it when another hires it.
   Threads of ended threads end, the process after its last one, and a region without threads costs
   nothing.

   flags: -D_GNU_SOURCE
   threads: 2 */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "check.h"

typedef struct {
    int processors, nice, policy, blocks_usr2, slack, io_priority, memory_policy;
    char name[16];
} Traits;
enum { OF_THREAD = 1, IDLE_IO = 3 << 13, LOCAL_MEMORY = 4 }; /* of ioprio_get(), set_mempolicy() */

static Traits traits(void) {
    Traits t = {0};
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    t.processors = CPU_COUNT(&set);
    t.nice = getpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid));
    t.policy = sched_getscheduler(0);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    t.blocks_usr2 = sigismember(&blocked, SIGUSR2);
    t.slack = prctl(PR_GET_TIMERSLACK);
    t.io_priority = (int)syscall(SYS_ioprio_get, OF_THREAD, 0);
    syscall(SYS_get_mempolicy, &t.memory_policy, NULL, 0, NULL, 0);
    prctl(PR_GET_NAME, t.name);
    return t;
}

/* Those of thread 1 of a region of the caller are those of the caller. */
static void check_region(void) {
    const Traits own = traits();
    Traits other = own;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        other = traits();
    CHECK_EQ(other.processors, own.processors);
    CHECK_EQ(other.nice, own.nice);
    CHECK_EQ(other.policy, own.policy);
    CHECK_EQ(other.blocks_usr2, own.blocks_usr2);
    CHECK_EQ(other.slack, own.slack);
    CHECK_EQ(other.io_priority, own.io_priority);
    CHECK_EQ(other.memory_policy, own.memory_policy);
    CHECK_EQ(strcmp(other.name, own.name), 0);
}

static void *special(void *what) {
    const int kind = *(const int *)what;
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    sigset_t more;
    sigemptyset(&more);
    sigaddset(&more, SIGUSR2);
    const struct sched_param none = {0};
    if (kind == 0)
        for (int i = 0; CPU_COUNT(&set) > 1; i++)
            CPU_CLR(i, &set);
    if (kind == 0)
        CHECK_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    if (kind == 1)
        CHECK_EQ(setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 5), 0);
    if (kind == 2)
        CHECK_EQ(pthread_sigmask(SIG_BLOCK, &more, NULL), 0);
    if (kind == 3)
        CHECK_EQ(prctl(PR_SET_TIMERSLACK, 777777), 0);
    if (kind == 4)
        CHECK_EQ(pthread_setschedparam(pthread_self(), SCHED_BATCH, &none), 0);
    if (kind == 5)
        CHECK_EQ(syscall(SYS_ioprio_set, OF_THREAD, 0, IDLE_IO), 0);
    if (kind == 6) /* a sandbox may forbid it */
        syscall(SYS_set_mempolicy, LOCAL_MEMORY, NULL, 0);
    if (kind == 7)
        CHECK_EQ(prctl(PR_SET_NAME, "special"), 0);
    check_region();
    return NULL;
}

static void run(void *(*function)(void *), void *argument) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, function, argument), 0);
    pthread_join(thread, NULL);
}

static void *nothing(void *unused) { return unused; }

static void *plain(void *unused) {
    check_region();
    return unused;
}

static long status(const char *key) {
    char line[256];
    long value = -1;
    FILE *file = fopen("/proc/self/status", "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            value = atol(line + strlen(key));
    fclose(file);
    return value;
}

static void leave_by_pthread_exit(void) {
    check_region();
    pthread_exit(NULL);
}

/* The limit of processes counts no threads of root. */
static void regions_without_threads(void) {
    const struct rlimit none = {1, 1};
    if (getuid() == 0)
        CHECK_EQ(setreuid(65534, 65534), 0);
    CHECK_EQ(setrlimit(RLIMIT_NPROC, &none), 0);
    long before = 0;
    for (int i = 0; i < 20000; i++) {
        if (i == 1000)
            before = status("VmRSS:");
#pragma omp parallel num_threads(2)
        CHECK(omp_get_num_threads() <= 2);
    }
    CHECK(status("VmRSS:") < before + 4096);
    _exit(0);
}

/* Checks that `body` ends the process by itself, with status 0. */
static void in_child(void (*body)(void)) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(1);
        body();
        _exit(1);
    }
    int end = -1;
    CHECK_EQ(waitpid(child, &end, 0), child);
    CHECK_EQ(end, 0);
}

int main(void) {
    omp_set_dynamic(0);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    in_child(leave_by_pthread_exit); // sanitizers have threads of their own, and need memory
    in_child(regions_without_threads);
#endif
    run(nothing, NULL); // a sanitizer may begin a thread of its own with the first one
    const long before = status("Threads:");
    for (int kind = 0; kind < 8; kind++) {
        run(special, &kind);
        run(plain, NULL);
        run(special, &kind);
    }
    WAIT_UNTIL(status("Threads:") == before);
    check_region();
    return 0;
}
