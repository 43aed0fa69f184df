// fork() with idle workers: parent and child both continue with OpenMP.
#include <sys/wait.h>

#include "check.h"
#include "omp_decls.h"

static long work(int threads) {
    long sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 1000; ++i)
            sum += i;
#pragma omp single
        for (int i = 0; i < 50; ++i) {
#pragma omp task
            usleep(0);
        }
    }
    return sum;
}

static int in_child;
/// LeakSanitizer would look for the parent's threads in the child, and report that they are
/// missing.
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return in_child; }

int main(void) {
    omp_set_dynamic(0);
    CHECK_EQ(work(4), 499500);
    for (int round = 0; round < 10; ++round) {
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            in_child = 1;
            CHECK_EQ(work(4), 499500);
            CHECK_EQ(work(6), 499500);
            const pid_t grandchild = fork();
            if (grandchild == 0) {
                CHECK_EQ(work(2), 499500);
                _exit(0);
            }
            int status = -1;
            CHECK_EQ(waitpid(grandchild, &status, 0), grandchild);
            CHECK_EQ(status, 0);
            exit(0);
        }
        CHECK_EQ(work(4), 499500);
        int status = -1;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
    }
    return 0;
}
