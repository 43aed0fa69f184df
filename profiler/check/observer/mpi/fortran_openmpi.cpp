// The routines that Fortran programs on Open MPI call, whose bindings do not come by C's functions
// (see mpi/fortran/fortran_openmpi.cpp of the layer). The next library's routine is called; only
// what is reported is converted. Collectives are the usual ones.
#include <vector>

#include "profiler/check/observer/mpi/checked_calls.h"

#include "mpi/interface/fortran.h"
#include "mpi/interface/fortran_openmpi.h"

using namespace loomp::check;

namespace {

using Words = MPI_Fint *;

int integer(const void *argument) { return *static_cast<const MPI_Fint *>(argument); }
MPI_Comm communicator(const void *argument) { return PMPI_Comm_f2c(integer(argument)); }
MPI_Datatype datatype(const void *argument) { return PMPI_Type_f2c(integer(argument)); }
const void *buffer(void *argument) { return loomp::mpi::buffer_in_c(argument); }
bool ok(const MPI_Fint *code) { return *code == MPI_SUCCESS; }

Uses message(bool receives, void *data, void *count, void *type, void *peer, void *tag,
             void *comm) {
    Uses uses;
    if (receives && uses.receives(integer(peer), integer(tag), communicator(comm)))
        uses.out(buffer(data), integer(count), datatype(type));
    if (!receives && uses.sends(integer(peer), integer(tag), communicator(comm)))
        uses.in(buffer(data), integer(count), datatype(type));
    return uses;
}

/// Requests of a call, as they are before it.
class Handles {
  public:
    Handles(int count, Words words) : words_(words) {
        for (int i = 0; i < count; ++i)
            handles_.push_back(PMPI_Request_f2c(words[i]));
    }
    void all_complete() const {
        for (std::size_t i = 0; i < handles_.size(); ++i)
            one_complete(static_cast<int>(i) + 1);
    }
    /// `index` counts from 1.
    void one_complete(int index) const {
        if (index == MPI_UNDEFINED)
            return;
        const MPI_Request handle = handles_[static_cast<std::size_t>(index) - 1];
        if (handle != MPI_REQUEST_NULL)
            complete(&words_[index - 1], handle);
    }
    void some_complete(int count, Words indices) const {
        for (int i = 0; count != MPI_UNDEFINED && i < count; ++i)
            one_complete(indices[i]);
    }

  private:
    Words words_;
    std::vector<MPI_Request> handles_;
};

void begin_at(const Call &call, const Uses &uses, Words request) {
    begin(call, uses, request, PMPI_Request_f2c(*request));
}

} // namespace

/// The routine that the program would have called.
#define LOOMP_FORTRAN_NEXT(NAME)                                                                   \
    ([] {                                                                                          \
        static const auto next =                                                                   \
            reinterpret_cast<decltype(&ompi_##NAME##_f)>(dlsym(RTLD_NEXT, "mpi_" #NAME "_"));      \
        return next;                                                                               \
    }())

// --- Messages: buffer, count, type, peer, tag, communicator --------------------------------------

#define LOOMP_SEND(NAME, IN_C, NONBLOCKING, NONBLOCKING_IN_C, PERSISTENT)                          \
    LOOMP_FORTRAN(NAME, LOOMP_ARGUMENTS_6, MPI_Fint *code) {                                       \
        note({Function::IN_C, LOOMP_CALLER}, message(false, LOOMP_VALUES_6));                      \
        LOOMP_FORTRAN_NEXT(NAME)(LOOMP_VALUES_6, code);                                            \
    }                                                                                              \
    LOOMP_MESSAGE_STARTS(NONBLOCKING, NONBLOCKING_IN_C, false)                                     \
    LOOMP_MESSAGE_IS_KEPT(PERSISTENT, false)
#define LOOMP_MESSAGE_STARTS(NAME, IN_C, RECEIVES)                                                 \
    LOOMP_FORTRAN(NAME, LOOMP_ARGUMENTS_6, Words request, MPI_Fint *code) {                        \
        LOOMP_FORTRAN_NEXT(NAME)(LOOMP_VALUES_6, request, code);                                   \
        if (ok(code))                                                                              \
            begin_at({Function::IN_C, LOOMP_CALLER}, message(RECEIVES, LOOMP_VALUES_6), request);  \
    }
#define LOOMP_MESSAGE_IS_KEPT(NAME, RECEIVES)                                                      \
    LOOMP_FORTRAN(NAME, LOOMP_ARGUMENTS_6, Words request, MPI_Fint *code) {                        \
        LOOMP_FORTRAN_NEXT(NAME)(LOOMP_VALUES_6, request, code);                                   \
        if (ok(code))                                                                              \
            keep(message(RECEIVES, LOOMP_VALUES_6), PMPI_Request_f2c(*request));                   \
    }

LOOMP_SEND(send, Send, isend, Isend, send_init)
LOOMP_SEND(bsend, Bsend, ibsend, Ibsend, bsend_init)
LOOMP_SEND(ssend, Ssend, issend, Issend, ssend_init)
LOOMP_SEND(rsend, Rsend, irsend, Irsend, rsend_init)
LOOMP_MESSAGE_STARTS(irecv, Irecv, true)
LOOMP_MESSAGE_IS_KEPT(recv_init, true)

LOOMP_FORTRAN(recv, LOOMP_ARGUMENTS_6, void *status, MPI_Fint *code) {
    note({Function::Recv, LOOMP_CALLER}, message(true, LOOMP_VALUES_6));
    LOOMP_FORTRAN_NEXT(recv)(LOOMP_VALUES_6, status, code);
}
LOOMP_FORTRAN(sendrecv, LOOMP_ARGUMENTS_5, void *data, void *count, void *type, void *source,
              void *tag, void *comm, void *status, MPI_Fint *code) {
    const Call call{Function::Sendrecv, LOOMP_CALLER};
    note(call, message(false, LOOMP_VALUES_5, comm));
    note(call, message(true, data, count, type, source, tag, comm));
    LOOMP_FORTRAN_NEXT(sendrecv)
    (LOOMP_VALUES_5, data, count, type, source, tag, comm, status, code);
}

// --- Requests ------------------------------------------------------------------------------------

LOOMP_FORTRAN(start, Words request, MPI_Fint *code) {
    LOOMP_FORTRAN_NEXT(start)(request, code);
    if (ok(code))
        begin_kept(LOOMP_CALLER, request, PMPI_Request_f2c(*request));
}
LOOMP_FORTRAN(startall, Words count, Words list, MPI_Fint *code) {
    LOOMP_FORTRAN_NEXT(startall)(count, list, code);
    for (int i = 0; ok(code) && i < *count; ++i)
        begin_kept(LOOMP_CALLER, &list[i], PMPI_Request_f2c(list[i]));
}
LOOMP_FORTRAN(wait, Words request, void *status, MPI_Fint *code) {
    const Handles handles(1, request);
    LOOMP_FORTRAN_NEXT(wait)(request, status, code);
    handles.all_complete();
}
LOOMP_FORTRAN(waitall, Words count, Words list, void *statuses, MPI_Fint *code) {
    const Handles handles(*count, list);
    LOOMP_FORTRAN_NEXT(waitall)(count, list, statuses, code);
    handles.all_complete();
}
LOOMP_FORTRAN(waitany, Words count, Words list, Words index, void *status, MPI_Fint *code) {
    const Handles handles(*count, list);
    LOOMP_FORTRAN_NEXT(waitany)(count, list, index, status, code);
    if (ok(code))
        handles.one_complete(*index);
}
LOOMP_FORTRAN(waitsome, Words count, Words list, Words completed, Words indices, void *statuses,
              MPI_Fint *code) {
    const Handles handles(*count, list);
    LOOMP_FORTRAN_NEXT(waitsome)(count, list, completed, indices, statuses, code);
    if (ok(code))
        handles.some_complete(*completed, indices);
}
LOOMP_FORTRAN(test, Words request, Words flag, void *status, MPI_Fint *code) {
    const Handles handles(1, request);
    LOOMP_FORTRAN_NEXT(test)(request, flag, status, code);
    if (ok(code) && *flag != 0)
        handles.all_complete();
}
LOOMP_FORTRAN(testall, Words count, Words list, Words flag, void *statuses, MPI_Fint *code) {
    const Handles handles(*count, list);
    LOOMP_FORTRAN_NEXT(testall)(count, list, flag, statuses, code);
    if (ok(code) && *flag != 0)
        handles.all_complete();
}
LOOMP_FORTRAN(testany, Words count, Words list, Words index, Words flag, void *status,
              MPI_Fint *code) {
    const Handles handles(*count, list);
    LOOMP_FORTRAN_NEXT(testany)(count, list, index, flag, status, code);
    if (ok(code) && *flag != 0)
        handles.one_complete(*index);
}
LOOMP_FORTRAN(testsome, Words count, Words list, Words completed, Words indices, void *statuses,
              MPI_Fint *code) {
    const Handles handles(*count, list);
    LOOMP_FORTRAN_NEXT(testsome)(count, list, completed, indices, statuses, code);
    if (ok(code))
        handles.some_complete(*completed, indices);
}
LOOMP_FORTRAN(request_free, Words request, MPI_Fint *code) {
    const MPI_Request handle = PMPI_Request_f2c(*request);
    LOOMP_FORTRAN_NEXT(request_free)(request, code);
    if (ok(code))
        forget(request, handle);
}

// --- Collectives: COUNT arguments, of which the last is the communicator -------------------------

/// USES describes what the call does with its arguments a, b and so on.
#define LOOMP_COLLECTIVE(NAME, IN_C, COUNT, USES)                                                  \
    LOOMP_FORTRAN(NAME, LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) {                                 \
        Uses uses;                                                                                 \
        const MPI_Comm comm = communicator(LOOMP_LAST_##COUNT);                                    \
        if (uses.joins(comm)) {                                                                    \
            USES;                                                                                  \
        }                                                                                          \
        note({Function::IN_C, LOOMP_CALLER}, uses);                                                \
        LOOMP_FORTRAN_NEXT(NAME)(LOOMP_VALUES_##COUNT, code);                                      \
    }                                                                                              \
    LOOMP_FORTRAN(i##NAME, LOOMP_ARGUMENTS_##COUNT, Words request, MPI_Fint *code) {               \
        Uses uses;                                                                                 \
        const MPI_Comm comm = communicator(LOOMP_LAST_##COUNT);                                    \
        if (uses.joins(comm)) {                                                                    \
            USES;                                                                                  \
        }                                                                                          \
        LOOMP_FORTRAN_NEXT(i##NAME)(LOOMP_VALUES_##COUNT, request, code);                          \
        if (ok(code))                                                                              \
            begin_at({Function::I##NAME, LOOMP_CALLER}, uses, request);                            \
    }

#define LOOMP_READS(DATA, COUNT, TYPE) uses.in(buffer(DATA), integer(COUNT), datatype(TYPE))
#define LOOMP_WRITES(DATA, COUNT, TYPE) uses.out(buffer(DATA), integer(COUNT), datatype(TYPE))
#define LOOMP_READS_OF_ALL(DATA, COUNT, TYPE)                                                      \
    uses.in(ranks(comm), buffer(DATA), integer(COUNT), datatype(TYPE))
#define LOOMP_WRITES_OF_ALL(DATA, COUNT, TYPE)                                                     \
    uses.out(ranks(comm), buffer(DATA), integer(COUNT), datatype(TYPE))

LOOMP_COLLECTIVE(barrier, Barrier, 1, (void)comm)
LOOMP_COLLECTIVE(bcast, Bcast, 5,
                 is_root(integer(d), comm) ? LOOMP_READS(a, b, c) : LOOMP_WRITES(a, b, c))
LOOMP_COLLECTIVE(reduce, Reduce, 7, LOOMP_READS(a, c, d);
                 if (is_root(integer(f), comm)) LOOMP_WRITES(b, c, d))
LOOMP_COLLECTIVE(allreduce, Allreduce, 6, LOOMP_READS(a, c, d); LOOMP_WRITES(b, c, d))
LOOMP_COLLECTIVE(gather, Gather, 8, LOOMP_READS(a, b, c);
                 if (is_root(integer(g), comm)) LOOMP_WRITES_OF_ALL(d, e, f))
LOOMP_COLLECTIVE(scatter, Scatter, 8, LOOMP_WRITES(d, e, f);
                 if (is_root(integer(g), comm)) LOOMP_READS_OF_ALL(a, b, c))
LOOMP_COLLECTIVE(allgather, Allgather, 7, LOOMP_READS(a, b, c); LOOMP_WRITES_OF_ALL(d, e, f))
LOOMP_COLLECTIVE(alltoall, Alltoall, 7, LOOMP_READS_OF_ALL(a, b, c); LOOMP_WRITES_OF_ALL(d, e, f))

// --- mpi_f08, where it converts logical values
// -----------------------------------------------------

LOOMP_F08(test, 3)
LOOMP_F08(testall, 4)
LOOMP_F08(testany, 5)
LOOMP_F08(testsome, 5)
