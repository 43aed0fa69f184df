// Fortran routines of Open MPI's that are C's functions but for handles and statuses: those that
// wait, probe, begin and end. Part of the layer and of the recorder, each of which has these
// functions.
#include "mpi/interface/fortran_openmpi.h"

#include <cstdlib>

using namespace loomp::mpi;

LOOMP_FORTRAN(sendrecv_replace, void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *target,
              MPI_Fint *send_tag, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, void *status,
              MPI_Fint *code) {
    StatusInC result(status);
    *code = MPI_Sendrecv_replace(buffer_in_c(buffer), *count, PMPI_Type_f2c(*type), *target,
                                 *send_tag, *source, *tag, PMPI_Comm_f2c(*comm), result.get());
}

LOOMP_FORTRAN(probe, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, void *status,
              MPI_Fint *code) {
    StatusInC result(status);
    *code = MPI_Probe(*source, *tag, PMPI_Comm_f2c(*comm), result.get());
}

LOOMP_FORTRAN(mprobe, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *message,
              void *status, MPI_Fint *code) {
    MPI_Message found = MPI_MESSAGE_NULL;
    StatusInC result(status);
    *code = MPI_Mprobe(*source, *tag, PMPI_Comm_f2c(*comm), &found, result.get());
    *message = PMPI_Message_c2f(found);
}

// --- Completion ----------------------------------------------------------------------------------

LOOMP_FORTRAN(wait, MPI_Fint *handle, void *status, MPI_Fint *code) {
    MPI_Request request = PMPI_Request_f2c(*handle);
    StatusInC result(status);
    *code = MPI_Wait(&request, result.get());
    *handle = PMPI_Request_c2f(request);
}

namespace {

/// C's forms of a list of requests and of their statuses.
class Requests {
  public:
    Requests(MPI_Fint *handles, int count)
        : handles_(handles), count_(count < 0 ? 0 : count),
          requests_(static_cast<MPI_Request *>(
              std::malloc((static_cast<std::size_t>(count_) + 1) * sizeof(MPI_Request)))),
          statuses_(static_cast<MPI_Status *>(
              std::malloc((static_cast<std::size_t>(count_) + 1) * sizeof(MPI_Status)))) {
        if (requests_ == nullptr || statuses_ == nullptr)
            std::abort();
        for (int i = 0; i < count_; ++i)
            requests_[i] = PMPI_Request_f2c(handles_[i]);
    }
    ~Requests() {
        for (int i = 0; i < count_; ++i)
            handles_[i] = PMPI_Request_c2f(requests_[i]);
        std::free(requests_);
        std::free(statuses_);
    }
    Requests(const Requests &) = delete;
    Requests &operator=(const Requests &) = delete;

    MPI_Request *requests() { return requests_; }
    MPI_Status *statuses() { return statuses_; }
    void show_statuses(void *to, int count) {
        if (to == MPI_F_STATUSES_IGNORE)
            return;
        auto *words = static_cast<MPI_Fint *>(to);
        for (int i = 0; i < count; ++i)
            PMPI_Status_c2f(&statuses_[i], words + static_cast<std::size_t>(i) * kStatusWords);
    }

  private:
    MPI_Fint *handles_;
    int count_;
    MPI_Request *requests_;
    MPI_Status *statuses_;
};

} // namespace

LOOMP_FORTRAN(waitall, MPI_Fint *count, MPI_Fint *handles, void *statuses, MPI_Fint *code) {
    Requests list(handles, *count);
    *code = MPI_Waitall(*count, list.requests(), list.statuses());
    if (*code == MPI_SUCCESS || *code == MPI_ERR_IN_STATUS)
        list.show_statuses(statuses, *count);
}

LOOMP_FORTRAN(waitany, MPI_Fint *count, MPI_Fint *handles, MPI_Fint *index, void *status,
              MPI_Fint *code) {
    Requests list(handles, *count);
    int at = MPI_UNDEFINED;
    StatusInC result(status);
    *code = MPI_Waitany(*count, list.requests(), &at, result.get());
    *index = at == MPI_UNDEFINED ? at : at + 1;
}

LOOMP_FORTRAN(waitsome, MPI_Fint *count, MPI_Fint *handles, MPI_Fint *completed, MPI_Fint *indices,
              void *statuses, MPI_Fint *code) {
    Requests list(handles, *count);
    *code = MPI_Waitsome(*count, list.requests(), completed, indices, list.statuses());
    if ((*code != MPI_SUCCESS && *code != MPI_ERR_IN_STATUS) || *completed == MPI_UNDEFINED)
        return;
    for (int i = 0; i < *completed; ++i)
        ++indices[i];
    list.show_statuses(statuses, *completed);
}

// --- Start and end -------------------------------------------------------------------------------

LOOMP_FORTRAN(init, MPI_Fint *code) { *code = MPI_Init(nullptr, nullptr); }

LOOMP_FORTRAN(init_thread, MPI_Fint *required, MPI_Fint *provided, MPI_Fint *code) {
    *code = MPI_Init_thread(nullptr, nullptr, *required, provided);
}

LOOMP_FORTRAN(finalize, MPI_Fint *code) { *code = MPI_Finalize(); }
