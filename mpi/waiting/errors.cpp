#include "mpi/waiting/errors.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include "mpi/adapters/mpi_library.h"
#include "mpi/adapters/thread_level.h"
#include "mpi/interface/next_calls.h"
#include "mpi/waiting/call_text.h"
#include "mpi/waiting/world_handler.h"
#include "platform/atomic.h"
#include "platform/clock.h"

namespace loomp::mpi {

Atomic<bool> callbacks::exist{false};
LOOMP_THREAD_LOCAL int callbacks::depth = 0;

namespace {

Atomic<bool> expected{false};
MPI_Errhandler own_handler = MPI_ERRHANDLER_NULL;
/// A communicator whose errors end the job in the library. It lives until MPI_Finalize.
MPI_Comm with_librarys_handler = MPI_COMM_NULL;

/// An error in words. MPICH lists the functions on the way, one a line, and the last line has the
/// error.
class ErrorText {
  public:
    explicit ErrorText(int error) {
        int length = 0;
        PMPI_Error_string(error, text_, &length);
        PMPI_Error_class(error, &class_);
        for (std::size_t end = std::strlen(text_); end > 0 && text_[end - 1] == '\n';)
            text_[--end] = '\0';
    }
    const char *reason() {
        const char *const said = last_reason();
        // MPICH 5.0 confuses a class of the standard ABI with one of its own numbers.
        return class_ == MPI_ERR_TRUNCATE && std::strcmp(said, "Other MPI error") == 0
                   ? "Message truncated"
                   : said;
    }
    /// The name of the MPI function in which the error occurred; empty if unknown.
    const char *function() {
        const char *const name = std::strstr(text_, ": MPI_");
        if (name == nullptr)
            return "";
        const std::size_t length = std::strcspn(name + 2, "(");
        std::snprintf(function_, sizeof function_, "%.*s", static_cast<int>(length), name + 2);
        return function_;
    }

  private:
    const char *last_reason() {
        char *const last = std::strrchr(text_, '\n');
        const char *const after = last == nullptr ? nullptr : std::strstr(last, "): ");
        if (after != nullptr && after[3] != '\0')
            return after + 3;
        if (char *const stack = std::strstr(text_, ", error stack"))
            *stack = '\0';
        return text_;
    }

    char text_[MPI_MAX_ERROR_STRING + 1] = "";
    char function_[64] = "";
    int class_ = MPI_SUCCESS;
};

int own_rank() {
    int rank = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

} // namespace

void abort_job(int error) {
    int error_class = MPI_ERR_OTHER;
    PMPI_Error_class(error, &error_class);
    // MPICH's launcher drops what it has not passed on yet when a rank aborts.
    core::pause_for(20'000'000);
    // MPICH says that the program has aborted the job. And where a handler runs it has a lock that
    // MPI_Abort takes again: it takes that for its own mistake, says so at length, and aborts the
    // job then (4.0). All has been said.
    const int nowhere = is_mpich() ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    PMPI_Abort(MPI_COMM_WORLD, error_class);
    std::abort();
}

namespace {

/// Open MPI's component for windows without such a network refuses MPI_THREAD_MULTIPLE (4.1), which
/// the program may not have asked for. The library only says that the window is invalid.
void explain_windows(const char *function, int error) {
    int error_class = MPI_ERR_OTHER;
    PMPI_Error_class(error, &error_class);
    if (is_openmpi() && !is_gated() && error_class == MPI_ERR_WIN &&
        strncasecmp(function, "MPI_Win_create", 14) == 0)
        std::fputs("loomp: Open MPI may have no windows for MPI_THREAD_MULTIPLE here, which loomp "
                   "asks for: LOOMP_MPI_THREAD_LEVEL=serialized avoids that\n",
                   stderr);
}

/// An error of a program's call that the layer does not handle.
[[noreturn]] void end_job_of(const char *function, int error) {
    ErrorText text(error);
    if (function == nullptr)
        function = text.function();
    std::fprintf(stderr, "loomp: rank %d: fatal error in %s: %s\n", own_rank(),
                 function[0] == '\0' ? "MPI" : function, text.reason());
    explain_windows(function, error);
    abort_job(error);
}

extern "C" void on_fatal_error(MPI_Comm *, int *error, ...) {
    if (FatalErrors::takes(*error))
        return;
    const char *function = nullptr;
    if (is_openmpi()) {
        va_list arguments;
        va_start(arguments, error);
        function = va_arg(arguments, const char *);
        va_end(arguments);
    }
    end_job_of(function, *error);
}

} // namespace

void expect_errors() {
    take_over_world_handler();
    expected.store(true, std::memory_order_relaxed);
}
bool errors_expected() { return expected.load(std::memory_order_relaxed); }

void name_fatal_errors() {
    PMPI_Comm_dup(MPI_COMM_SELF, &with_librarys_handler);
    PMPI_Comm_set_errhandler(with_librarys_handler, MPI_ERRORS_ARE_FATAL);
    PMPI_Comm_create_errhandler(on_fatal_error, &own_handler);
    note_handler(own_handler, on_fatal_error);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, own_handler);
    // In MPICH, the handler of MPI_COMM_WORLD serves this communicator until it gets its own.
    if (!is_mpich())
        PMPI_Comm_set_errhandler(MPI_COMM_SELF, own_handler);
}

MPI_Errhandler given_handler(MPI_Errhandler handler) {
    if (handler != MPI_ERRORS_ARE_FATAL)
        expect_errors();
    else if (own_handler != MPI_ERRHANDLER_NULL)
        return own_handler;
    return handler;
}

int create_handler(MPI_Comm_errhandler_function *function, MPI_Errhandler *made) {
    expect_callbacks();
    const int error = next::Comm_create_errhandler(function, made);
    if (error == MPI_SUCCESS)
        note_handler(*made, function);
    return error;
}

int set_handler(MPI_Comm comm, MPI_Errhandler handler) {
    const MPI_Errhandler given = given_handler(handler);
    // First, because another thread may do so at this moment.
    if (comm == MPI_COMM_WORLD && !is_inside_tool())
        take_over_world_handler();
    return has_world_handler(comm) ? set_world_handler(given)
                                   : next::Comm_set_errhandler(comm, given);
}

int get_handler(MPI_Comm comm, MPI_Errhandler *handler) {
    int error = next::Comm_get_errhandler(comm, handler);
    if (error != MPI_SUCCESS || *handler == MPI_ERRHANDLER_NULL)
        return error;
    // The program frees what it gets, so each handle has a reference of its own.
    if (is_world_handler(*handler) && !is_inside_tool()) {
        PMPI_Errhandler_free(handler);
        error = get_world_handler(handler);
    }
    if (error != MPI_SUCCESS || *handler != own_handler)
        return error;
    PMPI_Errhandler_free(handler);
    return PMPI_Comm_get_errhandler(with_librarys_handler, handler);
}

int begin_duplicate(MPI_Comm comm, MPI_Comm *made, MPI_Request *request) {
    return inherited(comm, made, next::Comm_idup(comm, made, request));
}

int inherited(MPI_Comm parent, const MPI_Comm *made, int error) {
    if (error != MPI_SUCCESS || !has_world_handler(parent) || *made == MPI_COMM_NULL)
        return error;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    get_world_handler(&handler);
    PMPI_Comm_set_errhandler(*made, handler);
    PMPI_Errhandler_free(&handler);
    return error;
}

LOOMP_THREAD_LOCAL int FatalErrors::noting_ = 0;
LOOMP_THREAD_LOCAL int FatalErrors::last_ = MPI_SUCCESS;

namespace {

/// `text`: the line's beginning.
void report(Text &text, const Call &call, int error) {
    add_call(text, call);
    add_place(text, call);
    text.add(": %s\n", ErrorText(error).reason());
    text.write();
}

} // namespace

void end_job(const Call &call, int error) {
    Text text;
    text.add("loomp: rank %d: fatal error in ", own_rank());
    report(text, call, error);
    explain_windows(call.name, error);
    abort_job(error);
}

void report_unreturned(const Call &call, int error) {
    Text text;
    text.add("loomp: rank %d: error that no status returns in ", own_rank());
    report(text, call, error);
}

int test_some(int count, MPI_Request *requests, int *completed, int *indices,
              MPI_Status *statuses) {
    const FatalErrors errors;
    int error = PMPI_Testsome(count, requests, completed, indices, statuses);
    // Open MPI tests the requests first and then, if none is complete, the network. Only the next
    // test sees what arrived then.
    if (is_openmpi() && error == MPI_SUCCESS && *completed == 0)
        error = PMPI_Testsome(count, requests, completed, indices, statuses);
    // Since MPICH 5, a call whose handler returns succeeds.
    return FatalErrors::noted() != MPI_SUCCESS ? MPI_ERR_IN_STATUS : error;
}

namespace {

bool is_raised_later(const Call &call) {
    return raises_on_world() && call.comm != MPI_COMM_NULL && errors_expected();
}

Atomic<bool> partitioned{false};

/// Asks without a completion. MPICH returns the error of the operation, which its completion
/// returns again.
bool ask_if_ready(MPI_Request request) {
    int flag = 0;
    const int error = PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    return flag != 0 || error != MPI_SUCCESS;
}

/// The completion of a request that is_ready(), or a test of one that no tool watches.
int test_or_complete(const Call &call, MPI_Request *request, int *flag, MPI_Status *status) {
    return call.is_layers ? PMPI_Test(request, flag, status) : next::Test(request, flag, status);
}

} // namespace

bool is_ready(MPI_Request request) {
    if (!raises_on_world() || !errors_expected())
        return ask_if_ready(request);
    return possibly_calling_back([&] {
        const NoHandler no_handler;
        return ask_if_ready(request);
    });
}

int test_for(const Call &call, MPI_Request *request, int *flag, MPI_Status *status) {
    *flag = 0;
    if (!is_raised_later(call))
        return make_for(call, [&] {
            return is_watched(call) && !is_ready(*request)
                       ? MPI_SUCCESS
                       : test_or_complete(call, request, flag, status);
        });
    return possibly_calling_back([&] {
        const NoHandler no_handler;
        return is_watched(call) && !ask_if_ready(*request)
                   ? MPI_SUCCESS
                   : test_or_complete(call, request, flag, status);
    });
}

int wait_in_place(const Call &call, MPI_Request *request, MPI_Status *status) {
    if (!is_raised_later(call))
        return make_for(call, [&] {
            return call.is_layers ? PMPI_Wait(request, status) : next::Wait(request, status);
        });
    int flag = 0;
    int error = MPI_SUCCESS;
    while (flag == 0 && error == MPI_SUCCESS)
        error = test_for(call, request, &flag, status);
    return error;
}

int raise(const Call &call, int error) {
    if (error != MPI_SUCCESS && is_raised_later(call))
        make_for(call, [&] { return PMPI_Comm_call_errhandler(call.comm, error); });
    return error;
}

void expect_partitioned() { partitioned.store(is_mpich(), std::memory_order_relaxed); }

int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    if (!partitioned.load(std::memory_order_relaxed) && !tool_watches())
        return PMPI_Testall(count, requests, flag, statuses);
    *flag = requests == nullptr || (statuses == nullptr && statuses != MPI_STATUSES_IGNORE) ? 1 : 0;
    if (*flag != 0) // the library reports it
        return next::Waitall(count, requests, statuses);
    for (int i = 0; i < count; ++i)
        if (!is_ready(requests[i]))
            return MPI_SUCCESS;
    // Open MPI's MPI_Waitall does not return if a request has failed (4.1).
    if (!partitioned.load(std::memory_order_relaxed))
        return next::Testall(count, requests, flag, statuses);
    *flag = 1;
    return next::Waitall(count, requests, statuses);
}

} // namespace loomp::mpi
