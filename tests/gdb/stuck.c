/* Tasks that receive what nobody sends: stuck COUNT */
#include <mpi.h>
#include <stdlib.h>
#include <sys/prctl.h>

static void receive(int tag) {
    int got;
    MPI_Recv(&got, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 0;
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
