// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "profiler/check/observer/mpi/checked_calls.h"

using namespace loomp::check;

LOOMP_EXPORT int MPI_Send(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm comm) {
    return blocking(
        {Function::Send, LOOMP_CALLER}, LOOMP_NEXT(Send),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Isend, LOOMP_CALLER}, LOOMP_NEXT(Isend),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                               MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Send_init, LOOMP_CALLER}, LOOMP_NEXT(Send_init),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
    return blocking(
        {Function::Bsend, LOOMP_CALLER}, LOOMP_NEXT(Bsend),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ibsend, LOOMP_CALLER}, LOOMP_NEXT(Ibsend),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Bsend_init(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Bsend_init, LOOMP_CALLER}, LOOMP_NEXT(Bsend_init),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
    return blocking(
        {Function::Ssend, LOOMP_CALLER}, LOOMP_NEXT(Ssend),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Issend, LOOMP_CALLER}, LOOMP_NEXT(Issend),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ssend_init(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Ssend_init, LOOMP_CALLER}, LOOMP_NEXT(Ssend_init),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
    return blocking(
        {Function::Rsend, LOOMP_CALLER}, LOOMP_NEXT(Rsend),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Irsend, LOOMP_CALLER}, LOOMP_NEXT(Irsend),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Rsend_init(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Rsend_init, LOOMP_CALLER}, LOOMP_NEXT(Rsend_init),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Recv(void *buffer, int count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm comm, MPI_Status *status) {
    return blocking(
        {Function::Recv, LOOMP_CALLER}, LOOMP_NEXT(Recv),
        [&](Uses &uses) { return uses.receives(peer, tag, comm) && uses.out(buffer, count, type); },
        buffer, count, type, peer, tag, comm, status);
}
LOOMP_EXPORT int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Irecv, LOOMP_CALLER}, LOOMP_NEXT(Irecv),
        [&](Uses &uses) { return uses.receives(peer, tag, comm) && uses.out(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int peer, int tag,
                               MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Recv_init, LOOMP_CALLER}, LOOMP_NEXT(Recv_init),
        [&](Uses &uses) { return uses.receives(peer, tag, comm) && uses.out(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                           MPI_Status *status) {
    return blocking(
        {Function::Mrecv, LOOMP_CALLER}, LOOMP_NEXT(Mrecv),
        [&](Uses &uses) { return uses.out(buffer, count, type); }, buffer, count, type, message,
        status);
}
LOOMP_EXPORT int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                            MPI_Request *request) {
    return start(
        {Function::Imrecv, LOOMP_CALLER}, LOOMP_NEXT(Imrecv),
        [&](Uses &uses) { return uses.out(buffer, count, type); }, request, buffer, count, type,
        message);
}

LOOMP_EXPORT int MPI_Sendrecv(const void *send_buffer, int send_count, MPI_Datatype send_type,
                              int target, int send_tag, void *buffer, int count, MPI_Datatype type,
                              int peer, int tag, MPI_Comm comm, MPI_Status *status) {
    return blocking(
        {Function::Sendrecv, LOOMP_CALLER}, LOOMP_NEXT(Sendrecv),
        [&](Uses &uses) {
            return uses.sends(target, send_tag, comm) &&
                       uses.in(send_buffer, send_count, send_type),
                   uses.receives(peer, tag, comm) && uses.out(buffer, count, type);
        },
        send_buffer, send_count, send_type, target, send_tag, buffer, count, type, peer, tag, comm,
        status);
}

LOOMP_EXPORT int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int target,
                                      int send_tag, int peer, int tag, MPI_Comm comm,
                                      MPI_Status *status) {
    return blocking(
        {Function::Sendrecv_replace, LOOMP_CALLER}, LOOMP_NEXT(Sendrecv_replace),
        [&](Uses &uses) {
            return uses.sends(target, send_tag, comm), uses.receives(peer, tag, comm),
                   uses.out(buffer, count, type);
        },
        buffer, count, type, target, send_tag, peer, tag, comm, status);
}

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Send_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                            int tag, MPI_Comm comm) {
    return blocking(
        {Function::Send, LOOMP_CALLER}, LOOMP_NEXT(Send_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Isend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Isend, LOOMP_CALLER}, LOOMP_NEXT(Isend_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Send_init_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                 int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Send_init, LOOMP_CALLER}, LOOMP_NEXT(Send_init_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Bsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    return blocking(
        {Function::Bsend, LOOMP_CALLER}, LOOMP_NEXT(Bsend_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ibsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                              int tag, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ibsend, LOOMP_CALLER}, LOOMP_NEXT(Ibsend_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Bsend_init_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                  int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Bsend_init, LOOMP_CALLER}, LOOMP_NEXT(Bsend_init_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Ssend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    return blocking(
        {Function::Ssend, LOOMP_CALLER}, LOOMP_NEXT(Ssend_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Issend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                              int tag, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Issend, LOOMP_CALLER}, LOOMP_NEXT(Issend_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ssend_init_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                  int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Ssend_init, LOOMP_CALLER}, LOOMP_NEXT(Ssend_init_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Rsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    return blocking(
        {Function::Rsend, LOOMP_CALLER}, LOOMP_NEXT(Rsend_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                              int tag, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Irsend, LOOMP_CALLER}, LOOMP_NEXT(Irsend_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Rsend_init_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                  int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Rsend_init, LOOMP_CALLER}, LOOMP_NEXT(Rsend_init_c),
        [&](Uses &uses) { return uses.sends(peer, tag, comm) && uses.in(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Recv_c(void *buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Status *status) {
    return blocking(
        {Function::Recv, LOOMP_CALLER}, LOOMP_NEXT(Recv_c),
        [&](Uses &uses) { return uses.receives(peer, tag, comm) && uses.out(buffer, count, type); },
        buffer, count, type, peer, tag, comm, status);
}
LOOMP_EXPORT int MPI_Irecv_c(void *buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
                             MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Irecv, LOOMP_CALLER}, LOOMP_NEXT(Irecv_c),
        [&](Uses &uses) { return uses.receives(peer, tag, comm) && uses.out(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Recv_init_c(void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                 int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(
        {Function::Recv_init, LOOMP_CALLER}, LOOMP_NEXT(Recv_init_c),
        [&](Uses &uses) { return uses.receives(peer, tag, comm) && uses.out(buffer, count, type); },
        request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Mrecv_c(void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message *message,
                             MPI_Status *status) {
    return blocking(
        {Function::Mrecv, LOOMP_CALLER}, LOOMP_NEXT(Mrecv_c),
        [&](Uses &uses) { return uses.out(buffer, count, type); }, buffer, count, type, message,
        status);
}
LOOMP_EXPORT int MPI_Imrecv_c(void *buffer, MPI_Count count, MPI_Datatype type,
                              MPI_Message *message, MPI_Request *request) {
    return start(
        {Function::Imrecv, LOOMP_CALLER}, LOOMP_NEXT(Imrecv_c),
        [&](Uses &uses) { return uses.out(buffer, count, type); }, request, buffer, count, type,
        message);
}

LOOMP_EXPORT int MPI_Sendrecv_c(const void *send_buffer, MPI_Count send_count,
                                MPI_Datatype send_type, int target, int send_tag, void *buffer,
                                MPI_Count count, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm, MPI_Status *status) {
    return blocking(
        {Function::Sendrecv, LOOMP_CALLER}, LOOMP_NEXT(Sendrecv_c),
        [&](Uses &uses) {
            return uses.sends(target, send_tag, comm) &&
                       uses.in(send_buffer, send_count, send_type),
                   uses.receives(peer, tag, comm) && uses.out(buffer, count, type);
        },
        send_buffer, send_count, send_type, target, send_tag, buffer, count, type, peer, tag, comm,
        status);
}

LOOMP_EXPORT int MPI_Sendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type,
                                        int target, int send_tag, int peer, int tag, MPI_Comm comm,
                                        MPI_Status *status) {
    return blocking(
        {Function::Sendrecv_replace, LOOMP_CALLER}, LOOMP_NEXT(Sendrecv_replace_c),
        [&](Uses &uses) {
            return uses.sends(target, send_tag, comm), uses.receives(peer, tag, comm),
                   uses.out(buffer, count, type);
        },
        buffer, count, type, target, send_tag, peer, tag, comm, status);
}

LOOMP_EXPORT int MPI_Isendrecv_c(const void *send_buffer, MPI_Count send_count,
                                 MPI_Datatype send_type, int target, int send_tag, void *buffer,
                                 MPI_Count count, MPI_Datatype type, int peer, int tag,
                                 MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Isendrecv, LOOMP_CALLER}, LOOMP_NEXT(Isendrecv_c),
        [&](Uses &uses) {
            return uses.sends(target, send_tag, comm) &&
                       uses.in(send_buffer, send_count, send_type),
                   uses.receives(peer, tag, comm) && uses.out(buffer, count, type);
        },
        request, send_buffer, send_count, send_type, target, send_tag, buffer, count, type, peer,
        tag, comm);
}

LOOMP_EXPORT int MPI_Isendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type,
                                         int target, int send_tag, int peer, int tag, MPI_Comm comm,
                                         MPI_Request *request) {
    return start(
        {Function::Isendrecv_replace, LOOMP_CALLER}, LOOMP_NEXT(Isendrecv_replace_c),
        [&](Uses &uses) {
            return uses.sends(target, send_tag, comm), uses.receives(peer, tag, comm),
                   uses.out(buffer, count, type);
        },
        request, buffer, count, type, target, send_tag, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Isendrecv(const void *send_buffer, int send_count, MPI_Datatype send_type,
                               int target, int send_tag, void *buffer, int count, MPI_Datatype type,
                               int peer, int tag, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Isendrecv, LOOMP_CALLER}, LOOMP_NEXT(Isendrecv),
        [&](Uses &uses) {
            return uses.sends(target, send_tag, comm) &&
                       uses.in(send_buffer, send_count, send_type),
                   uses.receives(peer, tag, comm) && uses.out(buffer, count, type);
        },
        request, send_buffer, send_count, send_type, target, send_tag, buffer, count, type, peer,
        tag, comm);
}

LOOMP_EXPORT int MPI_Isendrecv_replace(void *buffer, int count, MPI_Datatype type, int target,
                                       int send_tag, int peer, int tag, MPI_Comm comm,
                                       MPI_Request *request) {
    return start(
        {Function::Isendrecv_replace, LOOMP_CALLER}, LOOMP_NEXT(Isendrecv_replace),
        [&](Uses &uses) {
            return uses.sends(target, send_tag, comm), uses.receives(peer, tag, comm),
                   uses.out(buffer, count, type);
        },
        request, buffer, count, type, target, send_tag, peer, tag, comm);
}
#endif
