/* Errors inside tasks end the job with a message: each kind of failure is a separate run. usage:
 * fails truncated|mismatched|rank|waitall|isend|outside|killed|exits|aborts */
#include "check.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* While a thread of the layer waits for calls to make for tasks. */
static void leave_without_end(int aborts) {
    MPI_Comm comm;
#pragma omp parallel
#pragma omp single
#pragma omp task
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (rank == 1) {
        fprintf(stderr, "rank 1 leaves\n");
        if (aborts)
            MPI_Abort(MPI_COMM_WORLD, 4);
        exit(4);
    }
    CHECK_MPI(MPI_Recv(0, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    const char *how = argc > 1 ? argv[1] : "";
    int buffer[64] = {0};
    if (strcmp(how, "outside") == 0 && rank == 1) {
        int flag; /* a call that the layer does not handle */
        MPI_Iprobe(99, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    if (strcmp(how, "exits") == 0 || strcmp(how, "aborts") == 0)
        leave_without_end(how[0] == 'a');
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 20; ++i)
#pragma omp task firstprivate(i)
        {
            int other = 0; /* never sent */
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
        } else if (strcmp(how, "rank") == 0) {
            if (rank == 1)
                CHECK_MPI(MPI_Send(buffer, 1, MPI_INT, 99, 1, MPI_COMM_WORLD));
        } else if (strcmp(how, "type") == 0) {
            if (rank == 1)
                CHECK_MPI(MPI_Sendrecv_replace(buffer, 1, MPI_DATATYPE_NULL, 0, 1, 0, 1,
                                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else if (strcmp(how, "window") == 0) {
            MPI_Win window;
            CHECK_MPI(
                MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
        } else if (strcmp(how, "isend") == 0) {
            MPI_Request request = MPI_REQUEST_NULL;
            if (rank == 1)
                CHECK_MPI(MPI_Isend(buffer, 1, MPI_INT, 99, 1, MPI_COMM_WORLD, &request));
        } else if (strcmp(how, "waitall") == 0) {
            MPI_Request requests[2];
            if (rank == 0) {
                CHECK_MPI(MPI_Send(buffer, 64, MPI_INT, 1, 1, MPI_COMM_WORLD));
            } else {
                CHECK_MPI(MPI_Irecv(buffer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]));
                CHECK_MPI(MPI_Irecv(buffer + 1, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]));
                CHECK_MPI(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
            }
        } else if (strcmp(how, "killed") == 0 && rank == 1) {
            raise(SIGKILL);
        }
    }
    return end_mpi();
}
