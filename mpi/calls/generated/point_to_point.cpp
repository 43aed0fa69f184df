// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "mpi/calls/call_kinds.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_Send(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm comm) {
    return send<next::Send, next::Isend>(
        {.name = "MPI_Send", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER}, buffer,
        count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm, MPI_Request *request) {
    return start_send<next::Isend>(
        {.name = "MPI_Isend", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
    loomp_note_send();
    return next::Bsend(buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return start_send<next::Ibsend>(
        {.name = "MPI_Ibsend", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
    return send<next::Ssend, next::Issend>(
        {.name = "MPI_Ssend", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER}, buffer,
        count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return start_send<next::Issend>(
        {.name = "MPI_Issend", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
    return send<next::Rsend, next::Irsend>(
        {.name = "MPI_Rsend", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER}, buffer,
        count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return start_send<next::Irsend>(
        {.name = "MPI_Irsend", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Recv(void *buffer, int count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm comm, MPI_Status *status) {
    return receive<next::Recv, next::Irecv>(
        {.name = "MPI_Recv", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER}, status,
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm, MPI_Request *request) {
    return start_receive<next::Irecv>(
        {.name = "MPI_Irecv", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                           MPI_Status *status) {
    return receive<next::Mrecv, next::Imrecv>({.name = "MPI_Mrecv", .from = LOOMP_CALLER}, status,
                                              buffer, count, type, message);
}

LOOMP_EXPORT int MPI_Sendrecv(const void *send_buffer, int send_count, MPI_Datatype send_type,
                              int target, int send_tag, void *buffer, int count, MPI_Datatype type,
                              int peer, int tag, MPI_Comm comm, MPI_Status *status) {
    return exchange<next::Sendrecv, next::Irecv, PMPI_Send_init, next::Isend>(
        {.name = "MPI_Sendrecv", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        send_buffer, send_count, send_type, target, send_tag, buffer, count, type, peer, tag, comm,
        status);
}

LOOMP_EXPORT int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int target,
                                      int send_tag, int peer, int tag, MPI_Comm comm,
                                      MPI_Status *status) {
    return exchange_in_place<next::Sendrecv_replace, next::Irecv, PMPI_Send_init, next::Isend,
                             PMPI_Pack_size, PMPI_Pack>({.name = "MPI_Sendrecv_replace",
                                                         .comm = comm,
                                                         .peer = peer,
                                                         .tag = tag,
                                                         .from = LOOMP_CALLER},
                                                        buffer, count, type, target, send_tag, peer,
                                                        tag, comm, status);
}

LOOMP_EXPORT int MPI_Start(MPI_Request *request) {
    loomp_note_send();
    return next::Start(request);
}

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Send_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                            int tag, MPI_Comm comm) {
    return send<next::Send_c, next::Isend_c>(
        {.name = "MPI_Send_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Isend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm, MPI_Request *request) {
    return start_send<next::Isend_c>(
        {.name = "MPI_Isend_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Bsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    loomp_note_send();
    return next::Bsend_c(buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ibsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                              int tag, MPI_Comm comm, MPI_Request *request) {
    return start_send<next::Ibsend_c>(
        {.name = "MPI_Ibsend_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Ssend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    return send<next::Ssend_c, next::Issend_c>(
        {.name = "MPI_Ssend_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Issend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                              int tag, MPI_Comm comm, MPI_Request *request) {
    return start_send<next::Issend_c>(
        {.name = "MPI_Issend_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Rsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    return send<next::Rsend_c, next::Irsend_c>(
        {.name = "MPI_Rsend_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                              int tag, MPI_Comm comm, MPI_Request *request) {
    return start_send<next::Irsend_c>(
        {.name = "MPI_Irsend_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Recv_c(void *buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Status *status) {
    return receive<next::Recv_c, next::Irecv_c>(
        {.name = "MPI_Recv_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        status, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irecv_c(void *buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
                             MPI_Comm comm, MPI_Request *request) {
    return start_receive<next::Irecv_c>(
        {.name = "MPI_Irecv_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Mrecv_c(void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message *message,
                             MPI_Status *status) {
    return receive<next::Mrecv_c, next::Imrecv_c>({.name = "MPI_Mrecv_c", .from = LOOMP_CALLER},
                                                  status, buffer, count, type, message);
}

LOOMP_EXPORT int MPI_Sendrecv_c(const void *send_buffer, MPI_Count send_count,
                                MPI_Datatype send_type, int target, int send_tag, void *buffer,
                                MPI_Count count, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm, MPI_Status *status) {
    return exchange<next::Sendrecv_c, next::Irecv_c, PMPI_Send_init_c, next::Isend_c>(
        {.name = "MPI_Sendrecv_c", .comm = comm, .peer = peer, .tag = tag, .from = LOOMP_CALLER},
        send_buffer, send_count, send_type, target, send_tag, buffer, count, type, peer, tag, comm,
        status);
}

LOOMP_EXPORT int MPI_Sendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type,
                                        int target, int send_tag, int peer, int tag, MPI_Comm comm,
                                        MPI_Status *status) {
    return exchange_in_place<next::Sendrecv_replace_c, next::Irecv_c, PMPI_Send_init_c,
                             next::Isend_c, PMPI_Pack_size_c, PMPI_Pack_c>(
        {.name = "MPI_Sendrecv_replace_c",
         .comm = comm,
         .peer = peer,
         .tag = tag,
         .from = LOOMP_CALLER},
        buffer, count, type, target, send_tag, peer, tag, comm, status);
}

LOOMP_EXPORT int MPI_Psend_init(const void *buffer, int parts, MPI_Count count, MPI_Datatype type,
                                int peer, int tag, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    expect_partitioned();
    return next::Psend_init(buffer, parts, count, type, peer, tag, comm, info, request);
}

LOOMP_EXPORT int MPI_Precv_init(void *buffer, int parts, MPI_Count count, MPI_Datatype type,
                                int peer, int tag, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    expect_partitioned();
    return next::Precv_init(buffer, parts, count, type, peer, tag, comm, info, request);
}
#endif
