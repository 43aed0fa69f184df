// The routines that Fortran programs on Open MPI call, whose bindings do not come by C's functions
// (see mpi/fortran/fortran_openmpi.cpp of the layer). The next library's Fortran routine is called,
// which knows the addresses of MPI_BOTTOM and the like; only what is recorded is converted.
#include <new>

#include "mpi/interface/fortran.h"
#include "mpi/interface/fortran_openmpi.h"
#include "profiler/recorder/mpi/collective_sizes.h"
#include "profiler/recorder/mpi/recorded_call.h"
#include "profiler/recorder/mpi/stack_array.h"

using namespace loomp::record;
using loomp::mpi::kStatusWords;
using loomp::mpi::wanted;

namespace {

using Words = MPI_Fint *;

int integer(const void *argument) { return *static_cast<const MPI_Fint *>(argument); }
MPI_Comm communicator(const void *argument) { return PMPI_Comm_f2c(integer(argument)); }
Handle request(const void *argument) { return handle_of(PMPI_Request_f2c(integer(argument))); }
Handle message(const void *argument) { return handle_of(PMPI_Message_f2c(integer(argument))); }
Envelope envelope(const void *peer, const void *tag, const void *comm) {
    return {integer(peer), integer(tag), communicator(comm)};
}
const void *address(void *argument) { return loomp::mpi::buffer_in_c(argument); }
MPI_Datatype datatype(const void *argument) { return PMPI_Type_f2c(integer(argument)); }
const MPI_Fint *integers(const void *argument) { return static_cast<const MPI_Fint *>(argument); }
/// The size that a call sends.
class Bytes {
  public:
    Bytes(const void *count, const void *type) : count_(count), type_(type) {}
    std::uint64_t operator()() const { return bytes_of(integer(count_), datatype(type_)); }

  private:
    const void *count_;
    const void *type_;
};
bool ok(const MPI_Fint *code) { return *code == MPI_SUCCESS; }

/// A status that the library is given, whether the program wants it or not.
class Status {
  public:
    explicit Status(void *argument)
        : words_(wanted(argument) != nullptr ? wanted(argument) : own_) {}

    Words words() { return words_; }
    const MPI_Status &in_c() {
        PMPI_Status_f2c(words_, &status_);
        return status_;
    }

  private:
    MPI_Fint own_[kStatusWords];
    Words words_;
    MPI_Status status_;
};

} // namespace

/// The routine that the program would have called.
#define LOOMP_FORTRAN_NEXT(NAME)                                                                   \
    ([] {                                                                                          \
        static const auto next =                                                                   \
            reinterpret_cast<decltype(&ompi_##NAME##_f)>(dlsym(RTLD_NEXT, "mpi_" #NAME "_"));      \
        return next;                                                                               \
    }())

// --- Messages: buffer, count, type, peer, tag, communicator --------------------------------------

#define LOOMP_SEND(NAME, IN_C, NONBLOCKING, NONBLOCKING_IN_C, PERSISTENT, PERSISTENT_IN_C, KIND)   \
    LOOMP_FORTRAN(NAME, LOOMP_ARGUMENTS_6, MPI_Fint *code) {                                       \
        Call call(Function::IN_C);                                                                 \
        const Own own = call.begin_own(Kind::KIND, envelope(d, e, f));                             \
        LOOMP_FORTRAN_NEXT(NAME)(LOOMP_VALUES_6, code);                                            \
        call.end_own(own, *code, Bytes(b, c));                                                     \
    }                                                                                              \
    LOOMP_FORTRAN(NONBLOCKING, LOOMP_ARGUMENTS_6, Words handle, MPI_Fint *code) {                  \
        Call call(Function::NONBLOCKING_IN_C);                                                     \
        LOOMP_FORTRAN_NEXT(NONBLOCKING)(LOOMP_VALUES_6, handle, code);                             \
        if (ok(code))                                                                              \
            call.started(request(handle), Kind::KIND, envelope(d, e, f), Bytes(b, c));             \
    }                                                                                              \
    LOOMP_FORTRAN(PERSISTENT, LOOMP_ARGUMENTS_6, Words handle, MPI_Fint *code) {                   \
        Call call(Function::PERSISTENT_IN_C);                                                      \
        LOOMP_FORTRAN_NEXT(PERSISTENT)(LOOMP_VALUES_6, handle, code);                              \
        if (ok(code))                                                                              \
            call.initialized(request(handle), Kind::KIND, envelope(d, e, f), Bytes(b, c));         \
    }

LOOMP_SEND(send, Send, isend, Isend, send_init, Send_init, send)
LOOMP_SEND(bsend, Bsend, ibsend, Ibsend, bsend_init, Bsend_init, send)
LOOMP_SEND(ssend, Ssend, issend, Issend, ssend_init, Ssend_init, synchronous_send)
LOOMP_SEND(rsend, Rsend, irsend, Irsend, rsend_init, Rsend_init, send)

LOOMP_FORTRAN(recv, LOOMP_ARGUMENTS_6, void *status, MPI_Fint *code) {
    Call call(Function::Recv);
    Status told(status);
    const Own own = call.begin_own(Kind::receive, envelope(d, e, f));
    LOOMP_FORTRAN_NEXT(recv)(LOOMP_VALUES_6, told.words(), code);
    call.end_own(own, *code, told.in_c());
}
LOOMP_FORTRAN(irecv, LOOMP_ARGUMENTS_6, Words handle, MPI_Fint *code) {
    Call call(Function::Irecv);
    LOOMP_FORTRAN_NEXT(irecv)(LOOMP_VALUES_6, handle, code);
    if (ok(code))
        call.started(request(handle), Kind::receive, envelope(d, e, f));
}
LOOMP_FORTRAN(recv_init, LOOMP_ARGUMENTS_6, Words handle, MPI_Fint *code) {
    Call call(Function::Recv_init);
    LOOMP_FORTRAN_NEXT(recv_init)(LOOMP_VALUES_6, handle, code);
    if (ok(code))
        call.initialized(request(handle), Kind::receive, envelope(d, e, f));
}
LOOMP_FORTRAN(mrecv, LOOMP_ARGUMENTS_3, Words matched, void *status, MPI_Fint *code) {
    Call call(Function::Mrecv);
    Status told(status);
    const Handle found = message(matched);
    LOOMP_FORTRAN_NEXT(mrecv)(LOOMP_VALUES_3, matched, told.words(), code);
    call.completions();
    call.completed(found, told.in_c(), *code);
}
LOOMP_FORTRAN(imrecv, LOOMP_ARGUMENTS_3, Words matched, Words handle, MPI_Fint *code) {
    Call call(Function::Imrecv);
    const Handle found = message(matched);
    LOOMP_FORTRAN_NEXT(imrecv)(LOOMP_VALUES_3, matched, handle, code);
    if (ok(code))
        call.passed_on(request(handle), found);
}
LOOMP_FORTRAN(improbe, Words source, Words tag, Words comm, Words flag, Words found, void *status,
              MPI_Fint *code) {
    const std::uint64_t begin = now();
    Status told(status);
    LOOMP_FORTRAN_NEXT(improbe)(source, tag, comm, flag, found, told.words(), code);
    if (!ok(code) || *flag == 0)
        return;
    Call call(Function::Improbe, begin);
    const MPI_Status &is = told.in_c();
    call.started(message(found), Kind::receive, {is.MPI_SOURCE, is.MPI_TAG, communicator(comm)});
}

LOOMP_FORTRAN(sendrecv, void *send_buffer, void *send_count, void *send_type, void *target,
              void *send_tag, void *buffer, void *count, void *type, void *source, void *tag,
              void *comm, void *status, MPI_Fint *code) {
    Call call(Function::Sendrecv);
    Status told(status);
    const Own send = call.begin_own(Kind::send, envelope(target, send_tag, comm));
    const Own receive = call.begin_own(Kind::receive, envelope(source, tag, comm));
    LOOMP_FORTRAN_NEXT(sendrecv)(send_buffer, send_count, send_type, target, send_tag, buffer,
                                 count, type, source, tag, comm, told.words(), code);
    call.end_own(send, *code, Bytes(send_count, send_type));
    call.end_own(receive, *code, told.in_c());
}

LOOMP_FORTRAN(start, Words handle, MPI_Fint *code) {
    Call call(Function::Start);
    LOOMP_FORTRAN_NEXT(start)(handle, code);
    if (ok(code))
        call.started_of(request(handle));
}
LOOMP_FORTRAN(startall, Words count, Words handles, MPI_Fint *code) {
    Call call(Function::Startall);
    LOOMP_FORTRAN_NEXT(startall)(count, handles, code);
    for (int i = 0; ok(code) && i < *count; ++i)
        call.started_of(request(&handles[i]));
}

// --- Collectives: COUNT arguments, of which the last is the communicator
// --------------------------

#define LOOMP_LAST_1 a
#define LOOMP_LAST_5 e
#define LOOMP_LAST_6 f
#define LOOMP_LAST_7 g
#define LOOMP_LAST_8 h
#define LOOMP_LAST_9 i
#define LOOMP_COLLECTIVE(NAME, IN_C, COUNT)                                                        \
    LOOMP_FORTRAN(NAME, LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) {                                 \
        Call call(Function::IN_C);                                                                 \
        const Own own =                                                                            \
            call.begin_own(Kind::collective, {.comm = communicator(LOOMP_LAST_##COUNT)});          \
        LOOMP_FORTRAN_NEXT(NAME)(LOOMP_VALUES_##COUNT, code);                                      \
        call.end_own(own, *code, [&]() -> std::uint64_t { return LOOMP_BYTES_##NAME; });           \
    }                                                                                              \
    LOOMP_FORTRAN(i##NAME, LOOMP_ARGUMENTS_##COUNT, Words handle, MPI_Fint *code) {                \
        Call call(Function::I##NAME);                                                              \
        LOOMP_FORTRAN_NEXT(i##NAME)(LOOMP_VALUES_##COUNT, handle, code);                           \
        if (ok(code))                                                                              \
            call.started(request(handle), Kind::collective,                                        \
                         {.comm = communicator(LOOMP_LAST_##COUNT)},                               \
                         [&]() -> std::uint64_t { return LOOMP_BYTES_##NAME; });                   \
    }

LOOMP_FORTRAN_COLLECTIVES(LOOMP_COLLECTIVE)
LOOMP_COLLECTIVE(allreduce, Allreduce, 6)
LOOMP_COLLECTIVE(alltoallv, Alltoallv, 9)
LOOMP_COLLECTIVE(alltoallw, Alltoallw, 9)
LOOMP_FORTRAN_NEIGHBOURS(LOOMP_COLLECTIVE)
LOOMP_COLLECTIVE(neighbor_alltoall, Neighbor_alltoall, 7)
LOOMP_COLLECTIVE(neighbor_alltoallv, Neighbor_alltoallv, 9)
LOOMP_COLLECTIVE(neighbor_alltoallw, Neighbor_alltoallw, 9)

// --- Communicators: COUNT arguments, then the new one
// ---------------------------------------------

#define LOOMP_MAKES(NAME, IN_C, COUNT)                                                             \
    LOOMP_FORTRAN(NAME, LOOMP_ARGUMENTS_##COUNT, void *made, MPI_Fint *code) {                     \
        const Call call(Function::IN_C);                                                           \
        LOOMP_FORTRAN_NEXT(NAME)(LOOMP_VALUES_##COUNT, made, code);                                \
        if (ok(code))                                                                              \
            number_of(communicator(made));                                                         \
    }

LOOMP_FOR_MAKERS(LOOMP_MAKES)

LOOMP_FORTRAN(comm_idup, void *comm, void *made, Words handle, MPI_Fint *code) {
    const Call call(Function::Comm_idup);
    LOOMP_FORTRAN_NEXT(comm_idup)(comm, made, handle, code);
    if (ok(code))
        reserve_number(communicator(made), communicator(comm));
}
LOOMP_FORTRAN(comm_free, Words comm, MPI_Fint *code) {
    const Call call(Function::Comm_free);
    forget_reserved(communicator(comm));
    LOOMP_FORTRAN_NEXT(comm_free)(comm, code);
}
LOOMP_FORTRAN(comm_disconnect, Words comm, MPI_Fint *code) {
    const Call call(Function::Comm_disconnect);
    forget_reserved(communicator(comm));
    LOOMP_FORTRAN_NEXT(comm_disconnect)(comm, code);
}

// --- Tests: what they find
// ------------------------------------------------------------------------

namespace {

/// The handles of a call as they are before it.
class Handles {
  public:
    Handles(const MPI_Fint *handles, int count) : data_(count) {
        for (int i = 0; data_.data() != nullptr && i < count; ++i)
            data_[i] = request(&handles[i]);
    }
    /// Returns the null request if there was no memory.
    Handle at(int i) { return data_.data() != nullptr ? data_[i] : handle_of(MPI_REQUEST_NULL); }

  private:
    Room<Handle> data_;
};

/// Statuses of `count` requests, of the program or, if it ignores them, our own.
class Statuses {
  public:
    Statuses(void *argument, int count)
        : ignored_(argument == MPI_F_STATUSES_IGNORE),
          words_(ignored_ ? new(std::nothrow)
                                MPI_Fint[static_cast<std::size_t>(count) * kStatusWords]
                          : static_cast<Words>(argument)) {}
    Statuses(const Statuses &) = delete;
    Statuses &operator=(const Statuses &) = delete;
    ~Statuses() {
        if (ignored_)
            delete[] words_;
    }
    Words words() { return words_ != nullptr ? words_ : MPI_F_STATUSES_IGNORE; }
    MPI_Status at(int i) const {
        MPI_Status status{};
        if (words_ != nullptr)
            PMPI_Status_f2c(words_ + static_cast<std::size_t>(i) * kStatusWords, &status);
        return status;
    }

  private:
    bool ignored_;
    Words words_;
};

} // namespace

LOOMP_FORTRAN(test, Words handle, Words flag, void *status, MPI_Fint *code) {
    const std::uint64_t begin = now();
    Status told(status);
    const Handle own = request(handle);
    LOOMP_FORTRAN_NEXT(test)(handle, flag, told.words(), code);
    if (ok(code) && *flag == 0)
        return;
    Call call(Function::Test, begin);
    call.completions();
    call.completed(own, told.in_c(), *code);
}
LOOMP_FORTRAN(request_get_status, Words handle, Words flag, void *status, MPI_Fint *code) {
    const std::uint64_t begin = now();
    Status told(status);
    LOOMP_FORTRAN_NEXT(request_get_status)(handle, flag, told.words(), code);
    if (!ok(code) || *flag == 0)
        return;
    Call call(Function::Request_get_status, begin);
    call.completions();
    call.completed(request(handle), told.in_c(), *code);
}
LOOMP_FORTRAN(request_free, Words handle, MPI_Fint *code) {
    Call call(Function::Request_free);
    const Handle own = request(handle);
    LOOMP_FORTRAN_NEXT(request_free)(handle, code);
    if (ok(code))
        call.freed(own);
}
LOOMP_FORTRAN(cancel, Words handle, MPI_Fint *code) {
    Call call(Function::Cancel);
    LOOMP_FORTRAN_NEXT(cancel)(handle, code);
    if (ok(code))
        call.cancel(request(handle));
}
LOOMP_FORTRAN(testall, Words count, Words handles, Words flag, void *statuses, MPI_Fint *code) {
    const std::uint64_t begin = now();
    Statuses told(statuses, *count);
    Handles own(handles, *count);
    LOOMP_FORTRAN_NEXT(testall)(count, handles, flag, told.words(), code);
    if (!ok(code) || *flag == 0)
        return;
    Call call(Function::Testall, begin);
    call.completions();
    for (int i = 0; i < *count; ++i)
        call.completed(own.at(i), told.at(i), *code);
}
LOOMP_FORTRAN(testany, Words count, Words handles, Words index, Words flag, void *status,
              MPI_Fint *code) {
    const std::uint64_t begin = now();
    Status told(status);
    Handles own(handles, *count);
    LOOMP_FORTRAN_NEXT(testany)(count, handles, index, flag, told.words(), code);
    if (!ok(code) || *flag == 0 || *index == MPI_UNDEFINED)
        return;
    Call call(Function::Testany, begin);
    call.completions();
    call.completed(own.at(*index - 1), told.in_c(), *code);
}
LOOMP_FORTRAN(testsome, Words count, Words handles, Words completed, Words indices, void *statuses,
              MPI_Fint *code) {
    const std::uint64_t begin = now();
    Statuses told(statuses, *count);
    Handles own(handles, *count);
    LOOMP_FORTRAN_NEXT(testsome)(count, handles, completed, indices, told.words(), code);
    if (!ok(code) || *completed == 0 || *completed == MPI_UNDEFINED)
        return;
    Call call(Function::Testsome, begin);
    call.completions();
    for (int i = 0; i < *completed; ++i)
        call.completed(own.at(indices[i] - 1), told.at(i), *code);
}

// --- mpi_f08, where it converts logical values
// -----------------------------------------------------

LOOMP_F08(test, 3)
LOOMP_F08(request_get_status, 3)
LOOMP_F08(testall, 4)
LOOMP_F08(testany, 5)
LOOMP_F08(testsome, 5)
LOOMP_F08(improbe, 6)
LOOMP_F08(intercomm_merge, 3)
LOOMP_F08(cart_create, 6)
LOOMP_F08(cart_sub, 3)
LOOMP_F08(graph_create, 6)
LOOMP_F08(dist_graph_create, 9)
LOOMP_F08(dist_graph_create_adjacent, 10)
