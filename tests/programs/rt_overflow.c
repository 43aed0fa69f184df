// A stack overflow in a task is reported with the setting that helps; other faults reach the
// program's own handler.
// env: OMP_STACKSIZE=256k
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "check.h"
#include "endless.h"
#include "omp_decls.h"

/* In a team of one thread each task has a stack of its own from the start. */
static void overflow_on_pooled_stack(void) {
#pragma omp parallel num_threads(1)
#pragma omp single
    for (int i = 0; i < 4; ++i) {
#pragma omp task
        {
#pragma omp task
            {
                usleep(100);
            }
#pragma omp taskyield
#pragma omp task
            sink = (char)endless(0);
#pragma omp taskwait
        }
    }
}

static void overflow_on_thread(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        sink = (char)endless(0);
}

/* Run while its implicit task waits, a task is on the initial thread's own stack. */
static void overflow_on_initial_thread(void) {
    const struct rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_STACK, &limit);
#pragma omp parallel num_threads(1)
    sink = (char)endless(0);
}

/* Its frame reaches beyond the guard, and its lowest address is touched first. */
static __attribute__((noinline)) char in_large_frame(size_t size) {
    volatile char frame[size];
    for (size_t i = 0; i < size; i += 4096)
        frame[i] = 1;
    return frame[size / 2];
}

/* A stack of its own, with nothing below it for the frame to hit. */
static void large_frame_in_task(void) {
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task
        sink = in_large_frame((size_t)64 << 30);
#pragma omp taskwait
    }
}
static void large_frame_on_thread(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        sink = in_large_frame((size_t)64 << 30);
}

static volatile int *volatile nowhere = (volatile int *)16;

static void other_fault(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        *nowhere = 1;
}

static void sent(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        raise(SIGSEGV);
}

static int last_signal;

// Runs `body` in a child; returns what it printed.
static const char *output_of(void (*body)(void)) {
    static char text[4096];
    int ends[2];
    CHECK_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        body();
        _exit(0);
    }
    close(ends[1]);
    size_t size = 0;
    ssize_t got;
    while ((got = read(ends[0], text + size, sizeof text - 1 - size)) > 0)
        size += (size_t)got;
    text[size] = 0;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    last_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return text;
}

static void own_handler(int signal) {
    (void)signal;
    _exit(0);
}

static void handled_fault(void) {
    signal(SIGSEGV, own_handler);
    other_fault();
    abort();
}

int main(void) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    return 0; // they report faults themselves
#endif
    omp_set_dynamic(0);
    const char *text = output_of(overflow_on_pooled_stack);
    CHECK(strcmp(text,
                 "loomp: stack overflow in a task or thread: its stack of 262144 bytes is used "
                 "up; set OMP_STACKSIZE higher (for example OMP_STACKSIZE=4M)\n") == 0);
    CHECK(last_signal != 0);
    text = output_of(overflow_on_thread);
    CHECK(strstr(text, "OMP_STACKSIZE") != NULL);
    CHECK(last_signal != 0);
    text = output_of(overflow_on_initial_thread);
    CHECK(strcmp(text,
                 "loomp: stack overflow in a task or thread, on the own stack of a thread of "
                 "the program: raise ulimit -s (now 1024 KiB) or the size with which it makes "
                 "threads; OMP_STACKSIZE is for the others\n") == 0);
    CHECK(last_signal != 0);
    text = output_of(large_frame_in_task);
    CHECK(strstr(text, "OMP_STACKSIZE") != NULL);
    text = output_of(large_frame_on_thread);
    CHECK(strstr(text, "OMP_STACKSIZE") != NULL);
    text = output_of(other_fault);
    CHECK_EQ(text[0], 0);
    CHECK_EQ(last_signal, SIGSEGV);
    text = output_of(sent);
    CHECK_EQ(text[0], 0);
    CHECK_EQ(last_signal, SIGSEGV);
    text = output_of(handled_fault);
    CHECK_EQ(text[0], 0);
    CHECK_EQ(last_signal, 0);
    return 0;
}
