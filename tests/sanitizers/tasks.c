/* Tasks that wait for tasks, a loop, and the faults that are named, in a task that has waited:
 *     tasks [overflow|leak|undefined|uninitialised]...
 * Prints the sum that it computes. It allocates 16 MiB. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTasks = 64, kBytes = 1 << 18 };

static int number_of_faults;
static char *kept[kTasks];

__attribute__((noinline)) static long work(int rounds) {
    volatile long sum = 0;
    for (int i = 0; i < rounds; ++i)
        sum += i;
    return sum;
}

static void make_fault(const char *fault, int i) {
    if (i != 7)
        return;
    if (strcmp(fault, "overflow") == 0)
        ((volatile char *)kept[i])[kBytes] = 1;
    if (strcmp(fault, "leak") == 0)
        kept[i] = strdup("in place of what is lost now");
    if (strcmp(fault, "undefined") == 0) {
        volatile int most = INT_MAX;
        most = most + 1;
    }
    if (strcmp(fault, "uninitialised") == 0 && ((volatile char *)kept[i])[kBytes / 2] == 1)
        ++number_of_faults;
}

int main(int count, char **words) {
    long sum = 0, sums[8] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i) shared(sums) depend(inout : sums[i % 8])
        {
            long part = 0;
            kept[i] = malloc(kBytes);
#pragma omp task shared(part) firstprivate(i)
            part = work(1000 + i);
#pragma omp taskwait
            for (int word = 1; word < count; ++word)
                make_fault(words[word], i);
#pragma omp taskyield
            sums[i % 8] += part;
        }
    }
#pragma omp parallel for reduction(+ : sum) schedule(dynamic) num_threads(4)
    for (int i = 0; i < 8; ++i)
        sum += sums[i];
    for (int i = 0; i < kTasks; ++i)
        free(kept[i]);
    printf("sum %ld of %d tasks\n", sum, kTasks);
    return number_of_faults > kTasks;
}
