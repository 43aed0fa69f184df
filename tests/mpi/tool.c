/* A tool by MPI's profiling interface: a library that counts calls, or a part of the program. Its
 * MPI_Finalize prints what each rank has called. FEW: it lacks MPI_Init_thread and MPI_Ibarrier.
 * NO_INIT: it lacks MPI_Init_thread and MPI_Init. With the variable TOOL_CALLS_MPI, its functions
 * call MPI_X themselves. */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The thread is in a call that the tool makes by MPI_X: how many calls of others began there. */
static _Thread_local int is_busy;
static atomic_int inside;

static void count(int kind) { atomic_fetch_add(&calls[kind], 1); }
static int begins_own(void) {
    is_busy = getenv("TOOL_CALLS_MPI") != NULL;
    return is_busy;
}
static void end_own(void) { is_busy = 0; }
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
    int level;
    count(init);
    if (getenv("TOOL_CALLS_MPI") != NULL)
        return MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &level);
    return PMPI_Init(argc, argv);
}
#ifndef FEW
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
    const int nothing = 0;
    count(isend);
    atomic_fetch_add(&inside, is_busy);
    if (begins_own()) {
        MPI_Send(&nothing, 1, MPI_INT, MPI_PROC_NULL, tag, comm);
        end_own();
    }
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
#ifndef FEW
int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    count(ibarrier);
    return count_started(PMPI_Ibarrier(comm, request));
}
#endif
int MPI_Iallreduce(const void *from, void *to, int number, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request) {
    count(iallreduce);
    if (begins_own()) {
        MPI_Barrier(comm);
        end_own();
    }
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
    MPI_Errhandler handler;
    if (begins_own()) {
        MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
        MPI_Errhandler_free(&handler);
        end_own();
    }
    atomic_fetch_add(*flag != 0 ? &completed : &in_vain, active);
    return error;
}
int MPI_Testany(int number, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    const int error = PMPI_Testany(number, requests, index, flag, status);
    atomic_fetch_add(*flag != 0 ? &completed : &in_vain, 1);
    return error;
}

int MPI_Testall(int number, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    const int active = count_active(number, requests);
    const int error = PMPI_Testall(number, requests, flag, statuses);
    atomic_fetch_add(*flag != 0 ? &completed : &in_vain, active);
    return error;
}

static void print(const char *who) {
    int length;
    char line[1025];
    length = snprintf(line, sizeof line - 1, "%s:", who);
    for (int i = 0; i < kinds; ++i)
        if (calls[i] != 0)
            length += snprintf(line + length, sizeof line - 1 - (size_t)length, " %s %d", names[i],
                               calls[i]);
    length += snprintf(line + length, sizeof line - 1 - (size_t)length,
                       "; requests %d, completed %d, in vain %d", started, completed, in_vain);
    if (getenv("TOOL_CALLS_MPI") != NULL)
        snprintf(line + length, sizeof line - 1 - (size_t)length, ", of others inside %d", inside);
    fputs(strcat(line, "\n"), stdout); /* at once: MPICH does not buffer it */
    fflush(stdout);
}

int MPI_Finalize(void) {
    int rank = 0;
    char who[32];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(who, sizeof who, "rank %d", rank);
    print(who);
    return PMPI_Finalize();
}
#if MPI_VERSION >= 4
int MPI_Session_finalize(MPI_Session *session) {
    print("session");
    return PMPI_Session_finalize(session);
}
#endif
