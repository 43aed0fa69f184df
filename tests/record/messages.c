/* Messages whose number is known, of ROUNDS rounds on 2 ranks, each way one a round of each kind:
 * in tasks blocking ones, of which the receiver waits for the sender, and a synchronous one;
 * outside nonblocking ones received from any source with any tag, persistent ones, an exchange, and
 * a matched probe. Collectives: one blocking and one not a round on a communicator of their own.
 * With an argument, rank 0 is killed in the middle. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 20, TAG = 100 };

static void nap(long ns) {
    struct timespec time = {0, ns};
    nanosleep(&time, NULL);
}

static void in_tasks(int round, int rank, int *sum) {
    const int other = 1 - rank;
    int sent = round, got = -1, also = -1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(got) /* receives */
        MPI_Recv(&got, 1, MPI_INT, other, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task shared(also) /* receives another */
        MPI_Recv(&also, 1, MPI_INT, other, TAG + round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task shared(sent) /* sends */
        {
            nap(200000);
            MPI_Send(&sent, 1, MPI_INT, other, round, MPI_COMM_WORLD);
            MPI_Ssend(&sent, 1, MPI_INT, other, TAG + round, MPI_COMM_WORLD);
        }
#pragma omp taskwait
    }
    *sum += got == round && also == round;
}

static void outside(int round, int rank, MPI_Request persistent[2], int *sum) {
    const int other = 1 - rank;
    int sent = round, got[4] = {0}, size = 0;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Message message;
    MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&sent, 1, MPI_INT, other, round, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Startall(2, persistent);
    MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&sent, 1, MPI_INT, other, round, &got[1], 1, MPI_INT, other, round, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Isend(&sent, 1, MPI_INT, other, round, MPI_COMM_WORLD, &requests[1]);
    MPI_Mprobe(other, round, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &size);
    MPI_Mrecv(&got[2], size, MPI_INT, &message, MPI_STATUS_IGNORE);
    int done = 0;
    while (!done)
        MPI_Test(&requests[1], &done, MPI_STATUS_IGNORE);
    *sum += got[0] == round && got[1] == round && got[2] == round;
}

int main(int argc, char **argv) {
    int provided, rank, sum = 0, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int sent = 7, got = 0;
    MPI_Request persistent[2], request;
    MPI_Send_init(&sent, 1, MPI_INT, 1 - rank, 0, comm, &persistent[0]);
    MPI_Recv_init(&got, 1, MPI_INT, 1 - rank, MPI_ANY_TAG, comm, &persistent[1]);
    for (int round = 0; round < ROUNDS; round++) {
        in_tasks(round, rank, &sum);
        outside(round, rank, persistent, &sum);
        if (argc > 1 && round == ROUNDS / 2) {
            MPI_Barrier(comm); // the other rank has received all messages
            if (rank == 0)
                raise(atoi(argv[1]));
        }
        MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, comm);
        MPI_Ibarrier(comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&persistent[0]);
    MPI_Request_free(&persistent[1]);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return all != 4 * ROUNDS;
}
