/* A library finds no handler of the runtime when the program starts. A fault and a signal that was
   sent reach the handlers of the program, whether installed before the first region or after it. A
   stack overflow is reported to the user first. Handlers on an alternate stack have room there.

   flags: -D_GNU_SOURCE
   env: OMP_STACKSIZE=1m
   threads: 2 */
#include <omp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "dies.h"
#include "endless.h"

static void leave_with_three(int number, siginfo_t *info, void *context) {
    (void)context;
    /* A signal that was sent keeps what came with it. */
    if (info->si_code == SI_QUEUE)
        _exit(info->si_value.sival_int);
    _exit(number == SIGSEGV ? 3 : 4);
}

static void install(int flags) {
    struct sigaction old, own;
    memset(&own, 0, sizeof own);
    sigaction(SIGSEGV, NULL, &old);
    own.sa_sigaction = leave_with_three;
    own.sa_flags = SA_SIGINFO | flags;
    sigaction(SIGSEGV, &own, NULL);
}

static void region(void) {
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
    CHECK_EQ(members, 2);
}

static volatile int *volatile nowhere = (volatile int *)16;

static void fault(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        *nowhere = 1;
}

static void overflow(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        sink = (char)endless(0);
}

static void installed_before(void) {
    struct sigaction found;
    sigaction(SIGSEGV, NULL, &found);
    CHECK(found.sa_handler == SIG_DFL);
    install(0);
    region();
    fault();
}

/* Routines before the first region install no handler; clang's code calls one at the start of main.
 */
static void installed_between(void) {
    omp_lock_t lock;
    omp_set_num_threads(2);
    omp_set_dynamic(0);
    omp_init_lock(&lock);
    installed_before();
}

static void installed_after(void) {
    region();
    install(0);
    fault();
}

static void sent(void) {
    install(0);
    region();
    union sigval value = {.sival_int = 7};
    sigqueue(getpid(), SIGSEGV, value);
}

static void overflows(void) {
    install(SA_ONSTACK);
    region();
    overflow();
}

static volatile sig_atomic_t handled;
static void large_frame(int number) {
    (void)number;
    char frame[100 * 1024];
    memset(frame, 1, sizeof frame);
    __asm__ volatile("" : : "r"(frame) : "memory");
    handled++;
}

static void on_alternate_stack(void) {
    struct sigaction own;
    memset(&own, 0, sizeof own);
    own.sa_handler = large_frame;
    own.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &own, NULL);
#pragma omp parallel num_threads(2)
#pragma omp critical
    raise(SIGUSR1);
    CHECK_EQ(handled, 2);
    _exit(0);
}

static int status_of(void (*body)(void)) {
    const pid_t child = fork();
    if (child == 0) {
        body();
        _exit(100);
    }
    int end = -1;
    CHECK_EQ(waitpid(child, &end, 0), child);
    return WIFEXITED(end) ? WEXITSTATUS(end) : -WTERMSIG(end);
}

int main(void) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    return 0; // they have handlers of their own
#endif
    CHECK_EQ(status_of(installed_before), 3);
    CHECK_EQ(status_of(installed_between), 3);
    CHECK_EQ(status_of(installed_after), 3);
    CHECK_EQ(status_of(sent), 7);
    CHECK_EQ(status_of(on_alternate_stack), 0);
    check_dies(overflows, 3, "stack overflow");
    return 0;
}
