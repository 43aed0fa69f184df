/* Tasks and a loop in a process and in its child, which the process makes before it uses OpenMP, or
 * with an argument after that. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int done[8], sum;

static void work(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 64; ++i) {
#pragma omp task depend(inout : done[i % 8]) firstprivate(i)
        {
            done[i % 8]++;
            usleep(100);
#pragma omp task
            usleep(10);
#pragma omp taskwait
        }
    }
#pragma omp parallel for reduction(+ : sum) num_threads(4)
    for (int i = 0; i < 8; ++i)
        sum += done[i];
}

int main(int count, char **words) {
    (void)words;
    if (count > 1)
        work();
    const pid_t child = fork();
    work();
    printf("%d\n", sum);
    fflush(stdout);
    if (child == 0)
        _exit(0);
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
