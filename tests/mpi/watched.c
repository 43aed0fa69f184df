/* Calls of all kinds that a tool sees (tool.c): on 2 ranks, outside tasks and in tasks that wait.
 * `init`: the program starts MPI by MPI_Init. */
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { messages = 4 };

static void send_all(void) {
    for (int i = 0; i < messages + 2; ++i) {
#pragma omp task firstprivate(i)
        {
            usleep(5000); /* the receives wait */
            CHECK_MPI(MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD));
        }
    }
}

static void receive(int tag) {
    int value = -1;
    CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(value == tag);
}

static void receive_all(void) {
    for (int i = 0; i < messages; ++i) {
#pragma omp task firstprivate(i)
        receive(i);
    }
#pragma omp task
    {
        MPI_Status status;
        CHECK_MPI(MPI_Probe(0, messages, MPI_COMM_WORLD, &status));
        receive(messages);
    }
#pragma omp task
    {
        MPI_Request requests[2];
        int index = -1, value = -1;
        requests[0] = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Irecv(&value, 1, MPI_INT, 0, messages + 1, MPI_COMM_WORLD, &requests[1]));
        CHECK_MPI(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
        CHECK(index == 1 && value == messages + 1);
    }
}

static void collectives(void) {
    MPI_Comm made;
    int sum = 0;
    const int one = 1;
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == size);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &made));
    CHECK_MPI(MPI_Comm_free(&made));
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "init") == 0) {
        CHECK_MPI(MPI_Init(&argc, &argv));
        CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
        CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &size));
    } else {
        start_mpi(&argc, &argv);
    }
    CHECK(size == 2);
    if (rank == 0)
        CHECK_MPI(MPI_Send(&size, 1, MPI_INT, 1, 99, MPI_COMM_WORLD));
    else
        CHECK_MPI(MPI_Recv(&size, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#pragma omp parallel
#pragma omp single
    {
        if (rank == 0)
            send_all();
        else
            receive_all();
#pragma omp task
        collectives();
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return end_mpi();
}
