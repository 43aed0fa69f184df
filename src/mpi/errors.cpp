#include "mpi/errors.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>

#include "mpi/wait.h"

namespace loomp::mpi {

namespace {
std::atomic<bool> expected{false};
} // namespace

void expect_errors() { expected.store(true, std::memory_order_relaxed); }

namespace {

[[noreturn]] void end_job(const char *name, int error) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    int rank = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Error_string(error, text, &length);
    std::fprintf(stderr, "loomp: rank %d: fatal error in %s: %s\n", rank, name, text);
    // MPICH's launcher drops what it has not passed on yet when a rank aborts.
    const timespec for_a_moment = {0, 20'000'000};
    nanosleep(&for_a_moment, nullptr);
    PMPI_Abort(MPI_COMM_WORLD, error);
    std::abort();
}

} // namespace

void end_job(const Call &call, int error) { end_job(call.name, error); }

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

/// An error is the calling thread's own affair: it looks into the statuses.
thread_local bool looks_itself = false;
MPI_Errhandler own_handler = MPI_ERRHANDLER_NULL;

/// What it has been told of meanwhile: since MPICH 5 a call whose handler returns succeeds.
thread_local int told_of = MPI_SUCCESS;

extern "C" void on_fatal_error(MPI_Comm *, int *error, ...) {
    if (!looks_itself)
        end_job("MPI", *error);
    PMPI_Error_class(*error, &told_of);
}

} // namespace

void name_fatal_errors() {
    PMPI_Comm_create_errhandler(on_fatal_error, &own_handler);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, own_handler);
}

bool is_own(MPI_Errhandler handler) {
    return handler != MPI_ERRHANDLER_NULL && handler == own_handler;
}

int test_some(int count, MPI_Request *requests, int *completed, int *indices,
              MPI_Status *statuses) {
    looks_itself = true;
    told_of = MPI_SUCCESS;
    const int error = PMPI_Testsome(count, requests, completed, indices, statuses);
    looks_itself = false;
    return error != MPI_SUCCESS ? error : told_of;
}

int test_for(MPI_Comm comm, MPI_Request *request, int *flag, MPI_Status *status) {
    if (comm == MPI_COMM_NULL || !errors_expected())
        return PMPI_Test(request, flag, status);
    const NoHandler no_handler;
    return PMPI_Test(request, flag, status);
}

int wait_in_place(MPI_Comm comm, MPI_Request *request, MPI_Status *status) {
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

namespace {
std::atomic<bool> partitioned{false};
} // namespace

void expect_partitioned() { partitioned.store(true, std::memory_order_relaxed); }

int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    if (!partitioned.load(std::memory_order_relaxed))
        return PMPI_Testall(count, requests, flag, statuses);
    *flag = 0;
    for (int i = 0; i < count; ++i) {
        int complete = 0;
        const int error = PMPI_Request_get_status(requests[i], &complete, MPI_STATUS_IGNORE);
        if (error != MPI_SUCCESS || complete == 0)
            return error;
    }
    *flag = 1;
    return PMPI_Waitall(count, requests, statuses);
}

#else

void name_fatal_errors() {}
bool is_own(MPI_Errhandler) { return false; }

int test_some(int count, MPI_Request *requests, int *completed, int *indices,
              MPI_Status *statuses) {
    const int error = PMPI_Testsome(count, requests, completed, indices, statuses);
    // Open MPI looks at the requests first and, if none is complete, at the network: what has come
    // from there is only seen by the next look.
    return error == MPI_SUCCESS && *completed == 0
               ? PMPI_Testsome(count, requests, completed, indices, statuses)
               : error;
}

int test_for(MPI_Comm, MPI_Request *request, int *flag, MPI_Status *status) {
    return PMPI_Test(request, flag, status);
}

int wait_in_place(MPI_Comm, MPI_Request *request, MPI_Status *status) {
    return PMPI_Wait(request, status);
}

int raise(MPI_Comm, int error) { return error; }

void expect_partitioned() {}

int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    return PMPI_Testall(count, requests, flag, statuses);
}

#endif

} // namespace loomp::mpi
