/* Wakes a sleeping thread repeatedly: wake ROUNDS. Thread 0 creates a task and sleeps in read();
   thread 1, which waits in the barrier, must wake up, run the task, which writes to the pipe, and
   sleep again. Nothing spins, so the instructions and the system calls of a round are those of one
   wake-up. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    int ends[2], failed = pipe(ends) != 0;
#pragma omp parallel num_threads(2)
#pragma omp master
    for (int round = 0; round < rounds && !failed; round++) {
        char byte = 0;
        usleep(2000); /* until thread 1 sleeps */
#pragma omp task
        if (write(ends[1], "x", 1) != 1)
            perror("wake");
        failed = read(ends[0], &byte, 1) != 1 || byte != 'x';
    }
    return failed;
}
