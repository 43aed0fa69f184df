#include "mpi/errors.h"

#include <atomic>
#include <mutex>

namespace loomp::mpi {

namespace {
std::atomic<bool> expected{false};
} // namespace

void expect_errors() { expected.store(true, std::memory_order_relaxed); }
bool errors_expected() { return expected.load(std::memory_order_relaxed); }

#ifdef MPICH

namespace {

/// While it lives, an error on MPI_COMM_WORLD is returned to whoever made the call: also to another
/// thread that makes a wrong call on that communicator in the same microsecond.
class NoHandler {
  public:
    NoHandler() : guard_(one_at_a_time) {
        PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler_);
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    ~NoHandler() {
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_);
        PMPI_Errhandler_free(&handler_);
    }
    NoHandler(const NoHandler &) = delete;
    NoHandler &operator=(const NoHandler &) = delete;

  private:
    static std::mutex one_at_a_time;
    std::lock_guard<std::mutex> guard_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};
std::mutex NoHandler::one_at_a_time;

} // namespace

int test_for(MPI_Comm comm, MPI_Request *request, int *flag, MPI_Status *status) {
    if (comm == MPI_COMM_NULL || !errors_expected())
        return PMPI_Test(request, flag, status);
    const NoHandler no_handler;
    return PMPI_Test(request, flag, status);
}

int wait_for(MPI_Comm comm, MPI_Request *request, MPI_Status *status) {
    if (comm == MPI_COMM_NULL || !errors_expected())
        return PMPI_Wait(request, status);
    int flag = 0;
    int error = MPI_SUCCESS;
    while (flag == 0 && error == MPI_SUCCESS)
        error = test_for(comm, request, &flag, status);
    return error;
}

int raise(MPI_Comm comm, int error) {
    if (error != MPI_SUCCESS && comm != MPI_COMM_NULL && errors_expected())
        PMPI_Comm_call_errhandler(comm, error);
    return error;
}

#else

int test_for(MPI_Comm, MPI_Request *request, int *flag, MPI_Status *status) {
    return PMPI_Test(request, flag, status);
}

int wait_for(MPI_Comm, MPI_Request *request, MPI_Status *status) {
    return PMPI_Wait(request, status);
}

int raise(MPI_Comm, int error) { return error; }

#endif

} // namespace loomp::mpi
