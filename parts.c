#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int word;
int main(int count, char **words) {
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task
        word = 1;
#pragma omp task
        word = 2;
    }
    if (count > 1)
        return 0;
    const pid_t child = fork();
    if (child == 0)
        execl(words[0], words[0], "again", NULL);
    int status = 1;
    waitpid(child, &status, 0);
    _exit(status == 0 ? 7 : 8);
}
