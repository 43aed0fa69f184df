/* A tool by MPI's profiling interface: a library that counts calls, or a part of the program. Its
 * MPI_Finalize prints what each rank has called. ONLY_INIT: it lacks MPI_Init_thread. NO_INIT: it
 * lacks both. */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>

enum {
    init,
    init_thread,
    send,
    isend,
    recv,
    irecv,
    barrier,
    ibarrier,
    iallreduce,
    comm_dup,
    probe,
    iprobe,
    comm_rank,
    kinds
};
static const char *const names[kinds] = {
    "Init",     "Init_thread", "Send",     "Isend", "Recv",   "Irecv",    "Barrier",
    "Ibarrier", "Iallreduce",  "Comm_dup", "Probe", "Iprobe", "Comm_rank"};
static atomic_int calls[kinds];
/* Requests that were started, and that were completed; tests that completed none. */
static atomic_int started, completed, in_vain;

static void count(int kind) { atomic_fetch_add(&calls[kind], 1); }
static int count_started(int error) {
    atomic_fetch_add(&started, 1);
    return error;
}
static int count_active(int number, const MPI_Request *requests) {
    int active = 0;
    for (int i = 0; i < number; ++i)
        active += requests[i] != MPI_REQUEST_NULL;
    return active;
}

#ifndef NO_INIT
int MPI_Init(int *argc, char ***argv) {
    count(init);
    return PMPI_Init(argc, argv);
}
#ifndef ONLY_INIT
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    count(init_thread);
    return PMPI_Init_thread(argc, argv, required, provided);
}
#endif
#endif
int MPI_Comm_rank(MPI_Comm comm, int *rank) {
    count(comm_rank);
    return PMPI_Comm_rank(comm, rank);
}
int MPI_Send(const void *buffer, int number, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    count(send);
    return PMPI_Send(buffer, number, type, peer, tag, comm);
}
int MPI_Isend(const void *buffer, int number, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request *request) {
    count(isend);
    return count_started(PMPI_Isend(buffer, number, type, peer, tag, comm, request));
}
int MPI_Recv(void *buffer, int number, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
             MPI_Status *status) {
    count(recv);
    return PMPI_Recv(buffer, number, type, peer, tag, comm, status);
}
int MPI_Irecv(void *buffer, int number, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request *request) {
    count(irecv);
    return count_started(PMPI_Irecv(buffer, number, type, peer, tag, comm, request));
}
int MPI_Barrier(MPI_Comm comm) {
    count(barrier);
    return PMPI_Barrier(comm);
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    count(ibarrier);
    return count_started(PMPI_Ibarrier(comm, request));
}
int MPI_Iallreduce(const void *from, void *to, int number, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request) {
    count(iallreduce);
    return count_started(PMPI_Iallreduce(from, to, number, type, op, comm, request));
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
    count(comm_dup);
    return PMPI_Comm_dup(comm, made);
}
int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    count(probe);
    return PMPI_Probe(source, tag, comm, status);
}
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
    const int error = PMPI_Iprobe(source, tag, comm, flag, status);
    count(iprobe);
    if (*flag == 0)
        atomic_fetch_add(&in_vain, 1);
    return error;
}
int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    atomic_fetch_add(&completed, count_active(1, request));
    return PMPI_Wait(request, status);
}
int MPI_Waitall(int number, MPI_Request *requests, MPI_Status *statuses) {
    atomic_fetch_add(&completed, count_active(number, requests));
    return PMPI_Waitall(number, requests, statuses);
}
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    const int active = count_active(1, request);
    const int error = PMPI_Test(request, flag, status);
    atomic_fetch_add(*flag != 0 ? &completed : &in_vain, active);
    return error;
}
int MPI_Testany(int number, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    const int error = PMPI_Testany(number, requests, index, flag, status);
    atomic_fetch_add(*flag != 0 ? &completed : &in_vain, 1);
    return error;
}

int MPI_Finalize(void) {
    int rank = 0, length;
    char line[1024];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    length = snprintf(line, sizeof line, "rank %d:", rank);
    for (int i = 0; i < kinds; ++i)
        if (calls[i] != 0)
            length +=
                snprintf(line + length, sizeof line - (size_t)length, " %s %d", names[i], calls[i]);
    printf("%s; requests %d, completed %d, in vain %d\n", line, started, completed, in_vain);
    fflush(stdout);
    return PMPI_Finalize();
}
