// fork() while device work is in flight. The child has no device, and ends by exit(); it has no
// part in what the parent's target tasks do, which come to an end in the parent.
#include "../../programs/check.h"
#include <omp.h>
#include <sys/wait.h>

enum { kRegions = 20, kLength = 3000 };
static int cells[kRegions][kLength];

static int sum_in_tasks(void) {
    int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 10; ++i)
#pragma omp task shared(sum)
#pragma omp atomic
        sum += i;
    return sum;
}

static void begin(void) {
    for (int i = 0; i < kRegions; ++i) {
        int *cell = cells[i];
#pragma omp target nowait depend(inout : cell[0]) map(tofrom : cell[0 : kLength])
        for (int k = 0; k < kLength; ++k)
            cell[k] += k;
    }
}

int main(void) {
#if defined __has_feature
#if __has_feature(thread_sanitizer)
    // The device loads its libraries now: ThreadSanitizer's lock of them does not survive a fork.
#pragma omp target update to(cells[0][0])
#endif
#endif
    for (int round = 0; round < 4; ++round) {
        begin();
        const pid_t child = fork();
        if (child == 0) {
            CHECK(sum_in_tasks() == 45);
            exit(7);
        }
#pragma omp taskwait
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    for (int i = 0; i < kRegions; ++i)
        CHECK(cells[i][7] == 4 * 7);
    return 0;
}
