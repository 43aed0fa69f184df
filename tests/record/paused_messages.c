/* Two ranks that stop and start their recording: 10 messages each way, with tags of their own
 * order, before, meanwhile and after, and again meanwhile and after. One message is received before
 * a stop, but arrives after the start; a persistent request is made meanwhile. An Allreduce in each
 * phase. */
#include <loomp/record.h>
#include <mpi.h>

enum { MESSAGES = 10 };

static MPI_Request persistent[2];

static void exchange(int other) {
    int sent = 1, got = 0, sum = 0;
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Request requests[2];
        MPI_Irecv(&got, 1, MPI_INT, i % 2 ? other : MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                  &requests[0]);
        MPI_Isend(&sent, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Allreduce(&sent, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank, provided, early, sent = 1, kept = 0;
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange(1 - rank);
    MPI_Irecv(&early, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request);
    for (int pause = 0; pause < 2; pause++) {
        MPI_Barrier(MPI_COMM_WORLD);
        loomp_record_stop();
        exchange(1 - rank);
        if (pause == 0) {
            MPI_Send_init(&sent, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &persistent[0]);
            MPI_Recv_init(&kept, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &persistent[1]);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        loomp_record_start();
        MPI_Barrier(MPI_COMM_WORLD);
        exchange(1 - rank);
        MPI_Startall(2, persistent);
        MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
        if (pause == 0) {
            MPI_Send(&sent, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    MPI_Request_free(&persistent[0]);
    MPI_Request_free(&persistent[1]);
    MPI_Finalize();
    return 0;
}
