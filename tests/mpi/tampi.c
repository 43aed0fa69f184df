/* TAMPI's names: tasks that complete with their requests, with one thread and both ways at once, so
 * that a task that waited for its receive before it sends would wait for ever. */
#include "check.h"

#include <TAMPI.h>

enum { N = 300, SIZE = 50 };

static int in[N][SIZE], out[N][SIZE];
static MPI_Status statuses[N];

/* Receives and sends in one task, whose completion is that of both. */
static void exchange(int i, int peer, int how) {
    MPI_Request requests[2];
    switch (how) {
    case 0:
        CHECK_MPI(TAMPI_Irecv(in[i], SIZE, MPI_INT, peer, i, MPI_COMM_WORLD, &statuses[i]));
        CHECK_MPI(TAMPI_Issend(out[i], SIZE, MPI_INT, peer, i, MPI_COMM_WORLD));
        break;
    case 1:
        CHECK_MPI(MPI_Irecv(in[i], SIZE, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[0]));
        CHECK_MPI(TAMPI_Iwait(&requests[0], &statuses[i]));
        CHECK(requests[0] == MPI_REQUEST_NULL);
        CHECK_MPI(MPI_Isend(out[i], SIZE, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[1]));
        CHECK_MPI(TAMPI_Iwait(&requests[1], MPI_STATUS_IGNORE));
        break;
    default:
        CHECK_MPI(MPI_Irecv(in[i], SIZE, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[0]));
        CHECK_MPI(MPI_Isend(out[i], SIZE, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[1]));
        CHECK_MPI(TAMPI_Iwaitall(2, requests, MPI_STATUSES_IGNORE));
        statuses[i].MPI_TAG = i;
        statuses[i].MPI_SOURCE = peer;
    }
}

static void exchange_all(void) {
    const int peer = (rank ^ 1) < size ? rank ^ 1 : rank;
    int checked = 0, total = -1;
#pragma omp parallel
#pragma omp single
    {
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < N; ++i) {
#pragma omp task depend(out : out[i]) firstprivate(i, round)
                for (int k = 0; k < SIZE; ++k)
                    out[i][k] = 1000 * rank + 10 * i + round;
#pragma omp task depend(in : out[i]) depend(out : in[i], statuses[i]) firstprivate(i, round)
                exchange(i, peer, (i + round) % 3);
#pragma omp task depend(in : in[i], statuses[i]) depend(inout : checked) firstprivate(i, round)
                {
                    for (int k = 0; k < SIZE; ++k)
                        CHECK(in[i][k] == 1000 * peer + 10 * i + round);
                    CHECK(statuses[i].MPI_TAG == i && statuses[i].MPI_SOURCE == peer);
                    ++checked;
                }
            }
        }
#pragma omp task depend(out : total)
        CHECK_MPI(TAMPI_Iallreduce(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
#pragma omp task depend(in : total)
        CHECK(total == size * (size - 1) / 2);
#pragma omp taskwait
        CHECK(checked == 3 * N);
        /* Requests are waited for where nothing can complete later. */
        MPI_Request requests[2];
        CHECK_MPI(MPI_Irecv(in[0], SIZE, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[0]));
        CHECK_MPI(MPI_Isend(out[1], SIZE, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[1]));
        CHECK_MPI(TAMPI_Iwaitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK(in[0][0] == 1000 * peer + 10 + 2);
    }
}

static void check_properties(void) {
    int value = -1;
    CHECK_MPI(TAMPI_Property_get(TAMPI_PROPERTY_BLOCKING_MODE, &value));
    CHECK(value == 1 && TAMPI_Property_get(99, &value) != MPI_SUCCESS);
    value = -1;
    CHECK_MPI(TAMPI_Blocking_enabled(&value));
    CHECK(value == 1);
    value = -1;
    CHECK_MPI(TAMPI_Nonblocking_enabled(&value));
    CHECK(value == 1);
    for (int aware = 0; aware < 2; ++aware) {
        CHECK_MPI(TAMPI_Property_set(TAMPI_PROPERTY_THREAD_TASKAWARE, aware));
        CHECK_MPI(TAMPI_Property_get(TAMPI_PROPERTY_THREAD_TASKAWARE, &value));
        CHECK(value == aware);
    }
    CHECK_MPI(TAMPI_Property_set(TAMPI_PROPERTY_AUTO_INIT, 0));
    CHECK_MPI(TAMPI_Property_get(TAMPI_PROPERTY_AUTO_INIT, &value));
    CHECK(value == 1);
    CHECK(TAMPI_Property_set(TAMPI_PROPERTY_BLOCKING_MODE, 0) == MPI_ERR_ARG);
    CHECK(TAMPI_Property_set(99, 0) == MPI_ERR_ARG);
}

int main(int argc, char **argv) {
    int provided = 0;
    CHECK_MPI(MPI_Init_thread(&argc, &argv, MPI_TASK_MULTIPLE, &provided));
    CHECK(provided == MPI_TASK_MULTIPLE);
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &size));
    check_properties();
    CHECK_MPI(TAMPI_Init(MPI_TASK_MULTIPLE, &provided));
    CHECK(provided == MPI_TASK_MULTIPLE);
    for (int left = repetitions(); left > 0; --left)
        exchange_all();
    CHECK_MPI(TAMPI_Finalize());
    return end_mpi();
}
