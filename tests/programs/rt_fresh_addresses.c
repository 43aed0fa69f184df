// A program that names addresses it has never named before, and never waits, takes no more memory
// than LOOMP_TASK_MEMORY lets its unfinished tasks have.
// env: LOOMP_TASK_MEMORY=8M
// threads: 2
#include <stddef.h>
#include <sys/resource.h>

#include "check.h"

#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
enum { most = 300, tasks = 300000 }; // with the sanitizer's own memory
#else
enum { most = 32, tasks = 1500000 };
#endif

static long peak(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss >> 10;
}

int main(void) {
    const long before = peak();
    char *const memory = (char *)0x100000000000;
    (void)memory; // only its addresses are used
#pragma omp parallel
#pragma omp single
    {
        for (long i = 0; i < tasks; ++i) {
#pragma omp task depend(inout : memory[i * 64])
            ;
        }
        // A set of readers that no writer ends, and locks.
        for (long i = 0; i < tasks; ++i) {
#pragma omp task depend(in : memory[0])
            ;
#pragma omp task depend(mutexinoutset : memory[(tasks + i) * 64])
            ;
        }
        for (long i = 0; i < tasks; ++i) {
#pragma omp task depend(in : memory[(2 * tasks + i) * 64]) depend(inout : memory[i * 64 + 8])
            ;
            if (i % 50000 == 49999) {
#pragma omp taskwait
            }
        }
    }
    const long grown = peak() - before;
    if (grown > most)
        fprintf(stderr, "%ld MiB\n", grown);
    CHECK(grown <= most);
    return 0;
}
