/* Operations that fail after their call has returned: TAMPI's and mpi-detach's. If the call has a
 * status, it has the error; else the layer reports it on stderr, and the program continues. Rank 0
 * sends more than rank 1 receives. */
#include "check.h"

#include <TAMPI.h>
#include <mpi-detach.h>

enum { RECEIVES = 7 };

static int called;

static void check_error(const MPI_Status *status) {
    int class = 0;
    CHECK_MPI(MPI_Error_class(status->MPI_ERROR, &class));
    CHECK(class == MPI_ERR_TRUNCATE);
}
static void plain(void *data) {
    (void)data;
    __atomic_fetch_add(&called, 1, __ATOMIC_RELEASE);
}
static void with_status(void *data, MPI_Status *status) {
    check_error(status);
    plain(data);
}
static void with_statuses(void *data, int count, MPI_Status statuses[]) {
    CHECK(count == 1);
    with_status(data, statuses);
}

int main(int argc, char **argv) {
    static int in[RECEIVES], out[4];
    start_mpi(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MPI_Request requests[RECEIVES];
    MPI_Status status;
    for (int i = 0; rank == 1 && i < RECEIVES - 2; ++i)
        CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]));
    if (rank == 1) {
        CHECK_MPI(MPIX_Detach_status(&requests[0], with_status, NULL));
        CHECK_MPI(MPIX_Detach_all_status(1, &requests[1], with_statuses, NULL));
        CHECK_MPI(MPIX_Detach(&requests[2], plain, NULL));
        CHECK_MPI(MPIX_Detach_all(1, &requests[3], plain, NULL));
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out : in[4])
            CHECK_MPI(TAMPI_Iwait(&requests[4], MPI_STATUS_IGNORE));
#pragma omp task depend(out : in[5])
            CHECK_MPI(TAMPI_Irecv(&in[5], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &status));
#pragma omp task depend(out : in[6])
            CHECK_MPI(TAMPI_Irecv(&in[6], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#pragma omp task depend(in : in[5])
            check_error(&status);
#pragma omp task
            CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD));
        }
    } else if (rank == 0) {
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < RECEIVES; ++i)
            CHECK_MPI(MPI_Send(out, 4, MPI_INT, 1, i, MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Finalize());
    CHECK(rank != 1 || called == 4);
    return 0;
}
