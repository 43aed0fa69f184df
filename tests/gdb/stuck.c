/* Tasks that receive messages that are never sent: stuck COUNT. The last one that starts prints a
   line. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

static int to_start; /* of the tasks */

static void receive(int tag) {
    int got;
    if (__atomic_sub_fetch(&to_start, 1, __ATOMIC_RELAXED) == 0) {
        puts("ready");
        fflush(stdout);
    }
    MPI_Recv(&got, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 0;
    to_start = count;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where only parents may be debuggers */
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; ++i)
#pragma omp task firstprivate(i)
        receive(i);
    MPI_Finalize();
    return 0;
}
