/* TASKS tasks, each after the one before it: more records than a small ring keeps. With an
 * argument, it kills itself before the last one: by that signal. */
#include <signal.h>
#include <stdlib.h>

enum { TASKS = 100000 };

int main(int argc, char **argv) {
    int done = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= TASKS; i++) {
        if (argc > 1 && i == TASKS) {
#pragma omp taskwait
            raise(atoi(argv[1]));
        }
#pragma omp task depend(inout : done) shared(done) /* link */
        done++;
        if (i % 1000 == 0) {
#pragma omp taskwait
        }
    }
    return done != TASKS;
}
