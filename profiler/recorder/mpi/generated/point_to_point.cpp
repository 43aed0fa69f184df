// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "profiler/recorder/mpi/recorded_kinds.h"

using namespace loomp::record;

LOOMP_EXPORT int MPI_Send(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm comm) {
    return send(Function::Send, LOOMP_NEXT(Send), Kind::send, {peer, tag, comm},
                Contents{count, type}, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm, MPI_Request *request) {
    return start(Function::Isend, LOOMP_NEXT(Isend), Kind::send, {peer, tag, comm},
                 Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                               MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Send_init, LOOMP_NEXT(Send_init), Kind::send, {peer, tag, comm},
                      Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
    return send(Function::Bsend, LOOMP_NEXT(Bsend), Kind::send, {peer, tag, comm},
                Contents{count, type}, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return start(Function::Ibsend, LOOMP_NEXT(Ibsend), Kind::send, {peer, tag, comm},
                 Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Bsend_init(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Bsend_init, LOOMP_NEXT(Bsend_init), Kind::send, {peer, tag, comm},
                      Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
    return send(Function::Ssend, LOOMP_NEXT(Ssend), Kind::synchronous_send, {peer, tag, comm},
                Contents{count, type}, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return start(Function::Issend, LOOMP_NEXT(Issend), Kind::synchronous_send, {peer, tag, comm},
                 Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ssend_init(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Ssend_init, LOOMP_NEXT(Ssend_init), Kind::synchronous_send,
                      {peer, tag, comm}, Contents{count, type}, request, buffer, count, type, peer,
                      tag, comm);
}

LOOMP_EXPORT int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
    return send(Function::Rsend, LOOMP_NEXT(Rsend), Kind::send, {peer, tag, comm},
                Contents{count, type}, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return start(Function::Irsend, LOOMP_NEXT(Irsend), Kind::send, {peer, tag, comm},
                 Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Rsend_init(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Rsend_init, LOOMP_NEXT(Rsend_init), Kind::send, {peer, tag, comm},
                      Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Recv(void *buffer, int count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm comm, MPI_Status *status) {
    return receive(Function::Recv, LOOMP_NEXT(Recv), {peer, tag, comm}, status, buffer, count, type,
                   peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm, MPI_Request *request) {
    return start(Function::Irecv, LOOMP_NEXT(Irecv), Kind::receive, {peer, tag, comm}, Contents{},
                 request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int peer, int tag,
                               MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Recv_init, LOOMP_NEXT(Recv_init), Kind::receive, {peer, tag, comm},
                      Contents{}, request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                           MPI_Status *status) {
    return matched_receive(Function::Mrecv, LOOMP_NEXT(Mrecv), buffer, count, type, message,
                           status);
}
LOOMP_EXPORT int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                            MPI_Request *request) {
    return start_matched_receive(Function::Imrecv, LOOMP_NEXT(Imrecv), buffer, count, type, message,
                                 request);
}

LOOMP_EXPORT int MPI_Sendrecv(const void *send_buffer, int send_count, MPI_Datatype send_type,
                              int target, int send_tag, void *buffer, int count, MPI_Datatype type,
                              int peer, int tag, MPI_Comm comm, MPI_Status *status) {
    return exchange_halves(Function::Sendrecv, LOOMP_NEXT(Sendrecv), {target, send_tag, comm},
                           {send_count, send_type}, {peer, tag, comm}, status, send_buffer,
                           send_count, send_type, target, send_tag, buffer, count, type, peer, tag,
                           comm);
}

LOOMP_EXPORT int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int target,
                                      int send_tag, int peer, int tag, MPI_Comm comm,
                                      MPI_Status *status) {
    return exchange_halves(Function::Sendrecv_replace, LOOMP_NEXT(Sendrecv_replace),
                           {target, send_tag, comm}, {count, type}, {peer, tag, comm}, status,
                           buffer, count, type, target, send_tag, peer, tag, comm);
}

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Send_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                            int tag, MPI_Comm comm) {
    return send(Function::Send, LOOMP_NEXT(Send_c), Kind::send, {peer, tag, comm},
                Contents{count, type}, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Isend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm, MPI_Request *request) {
    return start(Function::Isend, LOOMP_NEXT(Isend_c), Kind::send, {peer, tag, comm},
                 Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Send_init_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                 int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Send_init, LOOMP_NEXT(Send_init_c), Kind::send, {peer, tag, comm},
                      Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Bsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    return send(Function::Bsend, LOOMP_NEXT(Bsend_c), Kind::send, {peer, tag, comm},
                Contents{count, type}, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ibsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                              int tag, MPI_Comm comm, MPI_Request *request) {
    return start(Function::Ibsend, LOOMP_NEXT(Ibsend_c), Kind::send, {peer, tag, comm},
                 Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Bsend_init_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                  int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Bsend_init, LOOMP_NEXT(Bsend_init_c), Kind::send, {peer, tag, comm},
                      Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Ssend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    return send(Function::Ssend, LOOMP_NEXT(Ssend_c), Kind::synchronous_send, {peer, tag, comm},
                Contents{count, type}, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Issend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                              int tag, MPI_Comm comm, MPI_Request *request) {
    return start(Function::Issend, LOOMP_NEXT(Issend_c), Kind::synchronous_send, {peer, tag, comm},
                 Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Ssend_init_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                  int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Ssend_init, LOOMP_NEXT(Ssend_init_c), Kind::synchronous_send,
                      {peer, tag, comm}, Contents{count, type}, request, buffer, count, type, peer,
                      tag, comm);
}

LOOMP_EXPORT int MPI_Rsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    return send(Function::Rsend, LOOMP_NEXT(Rsend_c), Kind::send, {peer, tag, comm},
                Contents{count, type}, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                              int tag, MPI_Comm comm, MPI_Request *request) {
    return start(Function::Irsend, LOOMP_NEXT(Irsend_c), Kind::send, {peer, tag, comm},
                 Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Rsend_init_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                  int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Rsend_init, LOOMP_NEXT(Rsend_init_c), Kind::send, {peer, tag, comm},
                      Contents{count, type}, request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Recv_c(void *buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm, MPI_Status *status) {
    return receive(Function::Recv, LOOMP_NEXT(Recv_c), {peer, tag, comm}, status, buffer, count,
                   type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Irecv_c(void *buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
                             MPI_Comm comm, MPI_Request *request) {
    return start(Function::Irecv, LOOMP_NEXT(Irecv_c), Kind::receive, {peer, tag, comm}, Contents{},
                 request, buffer, count, type, peer, tag, comm);
}
LOOMP_EXPORT int MPI_Recv_init_c(void *buffer, MPI_Count count, MPI_Datatype type, int peer,
                                 int tag, MPI_Comm comm, MPI_Request *request) {
    return initialize(Function::Recv_init, LOOMP_NEXT(Recv_init_c), Kind::receive,
                      {peer, tag, comm}, Contents{}, request, buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Mrecv_c(void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message *message,
                             MPI_Status *status) {
    return matched_receive(Function::Mrecv, LOOMP_NEXT(Mrecv_c), buffer, count, type, message,
                           status);
}
LOOMP_EXPORT int MPI_Imrecv_c(void *buffer, MPI_Count count, MPI_Datatype type,
                              MPI_Message *message, MPI_Request *request) {
    return start_matched_receive(Function::Imrecv, LOOMP_NEXT(Imrecv_c), buffer, count, type,
                                 message, request);
}

LOOMP_EXPORT int MPI_Sendrecv_c(const void *send_buffer, MPI_Count send_count,
                                MPI_Datatype send_type, int target, int send_tag, void *buffer,
                                MPI_Count count, MPI_Datatype type, int peer, int tag,
                                MPI_Comm comm, MPI_Status *status) {
    return exchange_halves(Function::Sendrecv, LOOMP_NEXT(Sendrecv_c), {target, send_tag, comm},
                           {send_count, send_type}, {peer, tag, comm}, status, send_buffer,
                           send_count, send_type, target, send_tag, buffer, count, type, peer, tag,
                           comm);
}

LOOMP_EXPORT int MPI_Sendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type,
                                        int target, int send_tag, int peer, int tag, MPI_Comm comm,
                                        MPI_Status *status) {
    return exchange_halves(Function::Sendrecv_replace, LOOMP_NEXT(Sendrecv_replace_c),
                           {target, send_tag, comm}, {count, type}, {peer, tag, comm}, status,
                           buffer, count, type, target, send_tag, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Isendrecv_c(const void *send_buffer, MPI_Count send_count,
                                 MPI_Datatype send_type, int target, int send_tag, void *buffer,
                                 MPI_Count count, MPI_Datatype type, int peer, int tag,
                                 MPI_Comm comm, MPI_Request *request) {
    return start_exchange(Function::Isendrecv, LOOMP_NEXT(Isendrecv_c), {target, send_tag, comm},
                          {send_count, send_type}, {peer, tag, comm}, request, send_buffer,
                          send_count, send_type, target, send_tag, buffer, count, type, peer, tag,
                          comm);
}

LOOMP_EXPORT int MPI_Isendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type,
                                         int target, int send_tag, int peer, int tag, MPI_Comm comm,
                                         MPI_Request *request) {
    return start_exchange(Function::Isendrecv_replace, LOOMP_NEXT(Isendrecv_replace_c),
                          {target, send_tag, comm}, {count, type}, {peer, tag, comm}, request,
                          buffer, count, type, target, send_tag, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Isendrecv(const void *send_buffer, int send_count, MPI_Datatype send_type,
                               int target, int send_tag, void *buffer, int count, MPI_Datatype type,
                               int peer, int tag, MPI_Comm comm, MPI_Request *request) {
    return start_exchange(Function::Isendrecv, LOOMP_NEXT(Isendrecv), {target, send_tag, comm},
                          {send_count, send_type}, {peer, tag, comm}, request, send_buffer,
                          send_count, send_type, target, send_tag, buffer, count, type, peer, tag,
                          comm);
}

LOOMP_EXPORT int MPI_Isendrecv_replace(void *buffer, int count, MPI_Datatype type, int target,
                                       int send_tag, int peer, int tag, MPI_Comm comm,
                                       MPI_Request *request) {
    return start_exchange(Function::Isendrecv_replace, LOOMP_NEXT(Isendrecv_replace),
                          {target, send_tag, comm}, {count, type}, {peer, tag, comm}, request,
                          buffer, count, type, target, send_tag, peer, tag, comm);
}

LOOMP_EXPORT int MPI_Psend_init(const void *buffer, int parts, MPI_Count count, MPI_Datatype type,
                                int peer, int tag, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    return initialize(Function::Psend_init, LOOMP_NEXT(Psend_init), Kind::send, {peer, tag, comm},
                      Contents{count * parts, type}, request, buffer, parts, count, type, peer, tag,
                      comm, info);
}

LOOMP_EXPORT int MPI_Precv_init(void *buffer, int parts, MPI_Count count, MPI_Datatype type,
                                int peer, int tag, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    return initialize(Function::Precv_init, LOOMP_NEXT(Precv_init), Kind::receive,
                      {peer, tag, comm}, Contents{}, request, buffer, parts, count, type, peer, tag,
                      comm, info);
}
#endif
