// Sends, receives and probes. MPI_Bsend never waits for anybody and is not taken over.
#include "mpi/export.h"
#include "mpi/wait.h"

#include <cstdlib>

using namespace loomp::mpi;

namespace {

/// `start` begins the nonblocking form.
template <class Start> int blocking(MPI_Comm comm, Start start, MPI_Status *status) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = start(&request);
    return error != MPI_SUCCESS ? error : wait_for_call(comm, &request, status);
}

/// Waits for both requests of an exchange; the receive's error comes first.
int exchange(MPI_Comm comm, MPI_Request *receive, MPI_Request *send, MPI_Status *status) {
    const int received = wait_for_call(comm, receive, status);
    const int sent = wait_for_call(comm, send, MPI_STATUS_IGNORE);
    return received != MPI_SUCCESS ? received : sent;
}

/// A receive was started whose send could not be.
int give_up(MPI_Request *receive, int error) {
    PMPI_Cancel(receive);
    PMPI_Request_free(receive);
    return error;
}

} // namespace

LOOMP_EXPORT int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag,
                          MPI_Comm comm, MPI_Status *status) {
    if (!in_task())
        return PMPI_Recv(buffer, count, type, source, tag, comm, status);
    return blocking(
        comm, [&](MPI_Request *r) { return PMPI_Irecv(buffer, count, type, source, tag, comm, r); },
        status);
}

#define LOOMP_SEND(NAME, NONBLOCKING)                                                              \
    LOOMP_EXPORT int MPI_##NAME(const void *buffer, int count, MPI_Datatype type, int target,      \
                                int tag, MPI_Comm comm) {                                          \
        if (!in_task())                                                                            \
            return PMPI_##NAME(buffer, count, type, target, tag, comm);                            \
        return blocking(                                                                           \
            comm,                                                                                  \
            [&](MPI_Request *r) {                                                                  \
                return PMPI_##NONBLOCKING(buffer, count, type, target, tag, comm, r);              \
            },                                                                                     \
            MPI_STATUS_IGNORE);                                                                    \
    }
LOOMP_SEND(Send, Isend)
LOOMP_SEND(Ssend, Issend)
LOOMP_SEND(Rsend, Irsend)

LOOMP_EXPORT int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                           MPI_Status *status) {
    if (!in_task())
        return PMPI_Mrecv(buffer, count, type, message, status);
    return blocking(
        MPI_COMM_NULL, // a message does not tell its communicator
        [&](MPI_Request *r) { return PMPI_Imrecv(buffer, count, type, message, r); }, status);
}

LOOMP_EXPORT int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    if (!in_task())
        return PMPI_Probe(source, tag, comm, status);
    return wait_until([&](int *flag) { return PMPI_Iprobe(source, tag, comm, flag, status); });
}

LOOMP_EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                            MPI_Status *status) {
    if (!in_task())
        return PMPI_Mprobe(source, tag, comm, message, status);
    return wait_until(
        [&](int *flag) { return PMPI_Improbe(source, tag, comm, flag, message, status); });
}

LOOMP_EXPORT int MPI_Sendrecv(const void *send_buffer, int send_count, MPI_Datatype send_type,
                              int target, int send_tag, void *buffer, int count, MPI_Datatype type,
                              int source, int tag, MPI_Comm comm, MPI_Status *status) {
    if (!in_task())
        return PMPI_Sendrecv(send_buffer, send_count, send_type, target, send_tag, buffer, count,
                             type, source, tag, comm, status);
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    int error = PMPI_Irecv(buffer, count, type, source, tag, comm, &receive);
    if (error != MPI_SUCCESS)
        return error;
    error = PMPI_Isend(send_buffer, send_count, send_type, target, send_tag, comm, &send);
    return error == MPI_SUCCESS ? exchange(comm, &receive, &send, status)
                                : give_up(&receive, error);
}

LOOMP_EXPORT int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int target,
                                      int send_tag, int source, int tag, MPI_Comm comm,
                                      MPI_Status *status) {
    int size = 0;
    // What is sent is packed first. Where that cannot be, the library says what is wrong.
    if (!in_task() || count < 0 || PMPI_Pack_size(count, type, comm, &size) != MPI_SUCCESS)
        return PMPI_Sendrecv_replace(buffer, count, type, target, send_tag, source, tag, comm,
                                     status);
    void *packed = std::malloc(size > 0 ? static_cast<std::size_t>(size) : 1);
    if (packed == nullptr)
        return PMPI_Sendrecv_replace(buffer, count, type, target, send_tag, source, tag, comm,
                                     status);
    int position = 0;
    int error = PMPI_Pack(buffer, count, type, packed, size, &position, comm);
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    if (error == MPI_SUCCESS)
        error = PMPI_Irecv(buffer, count, type, source, tag, comm, &receive);
    if (error == MPI_SUCCESS) {
        error = PMPI_Isend(packed, position, MPI_PACKED, target, send_tag, comm, &send);
        error = error == MPI_SUCCESS ? exchange(comm, &receive, &send, status)
                                     : give_up(&receive, error);
    }
    std::free(packed);
    return error;
}
