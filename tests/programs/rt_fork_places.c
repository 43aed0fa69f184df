/* The child of fork() continues with the code that called it, wherever that is and whatever the
   child does with OpenMP then. It never continues what its parent was doing.

   flags: -D_GNU_SOURCE
   threads: 2 */
#include <omp.h>
#include <sys/wait.h>

#include "check.h"

enum { kTasks = 6, kActions = 4 };

static int line[2]; /* a pipe: each child writes one byte when it has done its work */
static _Atomic int forks;

static void act(int action) {
    int sum = 0;
    if (action == 0) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum += 1;
    }
    if (action == 1) {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
#pragma omp atomic
            sum++;
        }
#pragma omp taskwait
        CHECK_EQ(sum, 10);
    }
    if (action == 2) {
#pragma omp taskgroup
        {
#pragma omp task shared(sum)
            sum = 1;
        }
        CHECK_EQ(sum, 1);
    }
    if (action == 3) {
#pragma omp parallel num_threads(2)
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
#pragma omp atomic
            sum++;
        }
        CHECK_EQ(sum, 10);
    }
}

static void fork_here(int action) {
    const pid_t parent = getpid();
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        act(action);
        CHECK_EQ(write(line[1], "x", 1), 1);
        _exit(getpid() == parent);
    }
    forks++;
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

static void in_tasks(int threads, int action) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < kTasks; i++) {
#pragma omp task
        fork_here(action);
    }
}

static void in_nested_tasks(int threads, int action) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task
        {
            for (int i = 0; i < kTasks; i++) {
#pragma omp task
                fork_here(action);
            }
#pragma omp taskwait
            fork_here(action);
        }
#pragma omp taskwait
        fork_here(action);
    }
}

static void in_dependent_and_undeferred(int threads, int action) {
    int x = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : x) untied
        fork_here(action);
#pragma omp task if (0)
        fork_here(action);
    }
    (void)x;
}

static void in_region(int threads, int action) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp critical
        fork_here(action);
#pragma omp barrier
        if (omp_get_thread_num() == threads - 1)
            fork_here(action);
    }
}

int main(void) {
    omp_set_dynamic(0);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    return 0; // they support no threads in such a child
#endif
    CHECK_EQ(pipe(line), 0);
    for (int threads = 1; threads <= 4; threads *= 2)
        for (int action = 0; action < kActions; action++) {
            fork_here(action);
            in_tasks(threads, action);
            in_nested_tasks(threads, action);
            in_dependent_and_undeferred(threads, action);
            in_region(threads, action);
        }
    close(line[1]);
    int children = 0;
    for (char c; read(line[0], &c, 1) == 1;)
        children++;
    CHECK_EQ(children, forks);
    return 0;
}
