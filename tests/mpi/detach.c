/* mpi-detach's names: callbacks that complete tasks by their events, count, look at statuses and
 * start the next operation. */
#include "check.h"

#include <mpi-detach.h>
#include <omp.h>
#include <stdint.h>

enum { N = 200 };

static int in[N], out[N], peer, called, relayed, hops;
static MPI_Request hop;

static void fulfill(void *event) { omp_fulfill_event((omp_event_handle_t)(uintptr_t)event); }
static void count(void *data) { __atomic_fetch_add((int *)data, 1, __ATOMIC_RELEASE); }
static void check_tag(void *data, MPI_Status *status) {
    CHECK(status->MPI_TAG == (int)(intptr_t)data && status->MPI_SOURCE == peer);
    count(&called);
}
static void check_tags(void *data, int number, MPI_Status statuses[]) {
    for (int i = 0; i < number; ++i)
        CHECK(statuses[i].MPI_TAG == (int)(intptr_t)data + i);
    count(&called);
}
/* Each receive begins the next one. */
static void again(void *data) {
    if (++hops < 20) {
        CHECK_MPI(MPI_Irecv(&relayed, 1, MPI_INT, peer, 7000 + hops, MPI_COMM_WORLD, &hop));
        CHECK_MPI(MPIX_Detach(&hop, again, data));
    } else {
        fulfill(data);
    }
}

static void complete_tasks(void) {
    int seen = 0;
    hops = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < N; ++i) {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(out : in[i]) firstprivate(i)
            {
                MPI_Request request;
                CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &request));
                CHECK_MPI(MPIX_Detach(&request, fulfill, (void *)(uintptr_t)event));
                CHECK(request == MPI_REQUEST_NULL);
            }
#pragma omp task depend(in : in[i]) depend(inout : seen) firstprivate(i)
            {
                CHECK(in[i] == 10 * peer + i);
                ++seen;
            }
        }
        for (int i = N - 1; i >= 0; --i)
#pragma omp task firstprivate(i)
        {
            out[i] = 10 * rank + i;
            CHECK_MPI(MPI_Send(&out[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD));
        }
        omp_event_handle_t event;
#pragma omp task detach(event)
        {
            CHECK_MPI(MPI_Irecv(&relayed, 1, MPI_INT, peer, 7000, MPI_COMM_WORLD, &hop));
            CHECK_MPI(MPIX_Detach(&hop, again, (void *)(uintptr_t)event));
        }
#pragma omp task
        for (int i = 0; i < 20; ++i)
            CHECK_MPI(MPI_Send(&i, 1, MPI_INT, peer, 7000 + i, MPI_COMM_WORLD));
    }
    CHECK(seen == N && hops == 20);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    peer = (rank ^ 1) < size ? rank ^ 1 : rank;
    for (int left = repetitions(); left > 0; --left)
        complete_tasks();

    /* Outside regions; MPI_Finalize waits. */
    MPI_Request requests[7], sends[7];
    void *data[2] = {&called, &called}, *tags[2] = {(void *)2, (void *)3};
    for (int i = 0; i < 7; ++i) {
        CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[i]));
        CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &sends[i]));
    }
    CHECK_MPI(MPIX_Detach_each(2, requests, count, data));
    CHECK_MPI(MPIX_Detach_each_status(2, requests + 2, check_tag, tags));
    CHECK_MPI(MPIX_Detach_all_status(2, requests + 4, check_tags, (void *)4));
    CHECK_MPI(MPIX_Detach_status(&requests[6], check_tag, (void *)6));
    CHECK(requests[6] == MPI_REQUEST_NULL);
    CHECK_MPI(MPIX_Detach_all(7, sends, count, &called));
    CHECK(MPIX_Progress(0) == 0);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Finalize());
    CHECK(called == 7);
    return 0;
}
