/* What goes wrong inside tasks ends the job with a message: each way of failing is a run of its
 * own. usage: fails truncated|mismatched|killed */
#include "check.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    const char *how = argc > 1 ? argv[1] : "";
    int buffer[64] = {0};
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 20; ++i)
#pragma omp task firstprivate(i)
        {
            int other = 0; /* nobody sends these */
            CHECK_MPI(
                MPI_Recv(&other, 1, MPI_INT, rank ^ 1, 100 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
#pragma omp task shared(buffer)
        if (strcmp(how, "truncated") == 0) {
            if (rank == 0)
                CHECK_MPI(MPI_Send(buffer, 64, MPI_INT, 1, 1, MPI_COMM_WORLD));
            else
                CHECK_MPI(MPI_Recv(buffer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else if (strcmp(how, "mismatched") == 0) {
            CHECK_MPI(MPI_Bcast(buffer, rank == 0 ? 64 : 1, MPI_INT, 0, MPI_COMM_WORLD));
        } else if (rank == 1) {
            raise(SIGKILL);
        }
    }
    return end_mpi();
}
