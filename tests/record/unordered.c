// Messages of tasks on two ranks, one thread each: unordered MODE
//   fault        two tasks send and two receive with one tag, and nothing orders them
//   tags         each pair has its own tag
//   dependences  the senders have an order, and so have the receivers
//   hang         the tags differ: both ranks are killed while their tasks wait
#include <mpi.h>
#include <omp.h>
#include <signal.h>
#include <string.h>

enum { steps = 2 };
static int sent[steps], received[steps], order;
static int waits;

static void talk(int rank, int step, int tag) {
    if (rank == 0)
        MPI_Ssend(&sent[step], 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    else
        MPI_Recv(&received[step], 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void hang(int rank) {
    // With one thread, the creator runs again when the task is suspended in its call.
#pragma omp task
    {
        waits = 1;
        talk(rank, 0, rank == 0 ? 9999 : 7);
    }
    while (!waits) {
#pragma omp taskyield
    }
    MPI_Barrier(MPI_COMM_WORLD);
    raise(SIGKILL);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "fault";
    const int tags = strcmp(mode, "tags") == 0;
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(1)
    {
        if (strcmp(mode, "hang") == 0)
            hang(rank);
        for (int step = 0; step < steps; ++step) {
            if (strcmp(mode, "dependences") == 0) {
#pragma omp task depend(inout : order)
                talk(rank, step, 7);
            } else {
#pragma omp task
                talk(rank, step, tags ? step : 7);
            }
        }
    }
    MPI_Finalize();
    return 0;
}
