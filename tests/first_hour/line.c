/* A line of ranks, each of which sends to both of its neighbours, in tasks. */
#include <mpi.h>

enum { STEPS = 10, SIZE = 1000 };
static double part[SIZE + 2];

static double advance(void) {
    double change = 0;
    for (int sweep = 0; sweep < 500; ++sweep)
        for (int i = 1; i <= SIZE; ++i) {
            double value = (part[i - 1] + part[i] + part[i + 1]) / 3;
            change += value > part[i] ? value - part[i] : part[i] - value;
            part[i] = value;
        }
    return change;
}

int main(int argc, char **argv) {
    int provided, rank, ranks;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double change = 0;
    part[SIZE / 2] = 1;
#pragma omp parallel
#pragma omp single
    for (int step = 0; step < STEPS; ++step) {
        for (int side = 0; side < 2; ++side) {
            const int other = rank + (side ? 1 : -1);
            if (other < 0 || other >= ranks)
                continue;
#pragma omp task depend(in : part[side ? SIZE : 1]) firstprivate(side, other, step)
            MPI_Send(&part[side ? SIZE : 1], 1, MPI_DOUBLE, other, step, MPI_COMM_WORLD);
#pragma omp task depend(out : part[side ? SIZE + 1 : 0]) firstprivate(side, other, step)
            MPI_Recv(&part[side ? SIZE + 1 : 0], 1, MPI_DOUBLE, other, step, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
#pragma omp task depend(inout : part[1], part[SIZE]) depend(in : part[0], part[SIZE + 1])          \
    shared(change)
        change += advance();
    }
    MPI_Finalize();
    return change < 0;
}
