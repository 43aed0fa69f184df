#include "mpi/waiting/world_handler.h"

#include <cstddef>
#include <cstdlib>

#include "mpi/adapters/mpi_library.h"
#include "mpi/adapters/thread_level.h"
#include "mpi/adapters/tools.h"
#include "mpi/interface/next_calls.h"
#include "platform/atomic.h"
#include "platform/system_mutex.h"

namespace loomp::mpi {

LOOMP_THREAD_LOCAL int NoHandler::depth_ = 0;

namespace {

using Function = MPI_Comm_errhandler_function;

/// The functions of the program's handlers. A handle that is made again has its new function.
class KnownHandlers {
  public:
    /// Forgets it if there is no memory.
    void add(MPI_Errhandler handle, Function *function) {
        const std::lock_guard<SystemMutex> lock(mutex_);
        Known *known = find(handle);
        if (known == nullptr && (count_ < capacity_ || grow())) {
            known = &handlers_[count_++];
            known->handle = handle;
        }
        if (known != nullptr)
            known->function = function;
    }
    /// Null if it was made past the layer.
    Function *function_of(MPI_Errhandler handle) {
        const std::lock_guard<SystemMutex> lock(mutex_);
        const Known *const known = find(handle);
        return known != nullptr ? known->function : nullptr;
    }

  private:
    struct Known {
        MPI_Errhandler handle;
        Function *function;
    };

    Known *find(MPI_Errhandler handle) {
        for (int i = 0; i < count_; ++i)
            if (handlers_[i].handle == handle)
                return &handlers_[i];
        return nullptr;
    }
    bool grow() {
        const int capacity = capacity_ == 0 ? 16 : 2 * capacity_;
        void *const grown =
            std::realloc(handlers_, static_cast<std::size_t>(capacity) * sizeof(Known));
        if (grown == nullptr)
            return false;
        handlers_ = static_cast<Known *>(grown);
        capacity_ = capacity;
        return true;
    }

    SystemMutex mutex_; ///< guards the following fields; no call of MPI is made under it
    Known *handlers_ = nullptr;
    int count_ = 0;
    int capacity_ = 0;
};
KnownHandlers known_handlers;

/// The layer's handler. It and `holder` are constant once several threads call MPI.
MPI_Errhandler own = MPI_ERRHANDLER_NULL;
/// A communicator that has the program's handler. It lives until MPI_Finalize.
MPI_Comm holder = MPI_COMM_NULL;

/// Held while the two below and the handler of `holder` change together.
SystemMutex changing;
/// The layer's handler is MPI_COMM_WORLD's.
Atomic<bool> in_place{false};
/// It does what the program's handler does.
Atomic<Function *> programs{nullptr};

extern "C" void return_error(MPI_Comm *, int *, ...) {}
/// For handlers that the library ends the job by, and for unknown ones, which get `holder`.
extern "C" void call_by_library(MPI_Comm *, int *error, ...) {
    PMPI_Comm_call_errhandler(holder, *error);
}

/// Null if unknown.
Function *function_of(MPI_Errhandler handler) {
    if (handler == MPI_ERRORS_RETURN)
        return return_error;
    if (handler == MPI_ERRORS_ARE_FATAL)
        return call_by_library;
#if MPI_VERSION >= 4
    if (handler == MPI_ERRORS_ABORT)
        return call_by_library;
#endif
    return known_handlers.function_of(handler);
}

// A Fortran handler has the same arguments, because MPICH's handles are integers. MPICH's last
// argument is null.
extern "C" void call_programs(MPI_Comm *comm, int *error, ...) {
    // relaxed: the function is code, and it may be the one from before a change at this moment.
    if (!NoHandler::exists())
        programs.load(std::memory_order_relaxed)(comm, error, nullptr);
}

/// The caller holds `changing`.
int change(MPI_Errhandler handler, Function *function) {
    const int error = PMPI_Comm_set_errhandler(holder, handler);
    if (error == MPI_SUCCESS)
        programs.store(function != nullptr ? function : call_by_library, std::memory_order_relaxed);
    return error;
}

} // namespace

void note_handler(MPI_Errhandler made, MPI_Comm_errhandler_function *function) {
    if (raises_on_world())
        known_handlers.add(made, function);
}

void prepare_world_handler() {
    if (!raises_on_world())
        return;
    PMPI_Comm_dup(MPI_COMM_SELF, &holder);
    PMPI_Comm_create_errhandler(call_programs, &own);
}

void take_over_world_handler() {
    // acquire: the handler of `holder`
    if (own == MPI_ERRHANDLER_NULL || in_place.load(std::memory_order_acquire))
        return;
    const GatePass gate(GatePass::Busy::waits); // a thread that has the lock passes
    const std::lock_guard<SystemMutex> lock(changing);
    if (in_place.load(std::memory_order_relaxed)) // changed under the lock
        return;
    // No handler that the layer did not set runs at this moment.
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    change(handler, function_of(handler));
    PMPI_Errhandler_free(&handler);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    // release: publishes the handler of `holder`.
    in_place.store(true, std::memory_order_release);
}

bool has_world_handler(MPI_Comm comm) {
    // A tool's calls are for the library's handler.
    return raises_on_world() && comm == MPI_COMM_WORLD &&
           in_place.load(std::memory_order_acquire) && !is_inside_tool();
}

bool is_world_handler(MPI_Errhandler handler) {
    return raises_on_world() && own != MPI_ERRHANDLER_NULL && handler == own;
}

int set_world_handler(MPI_Errhandler handler) {
    Function *const function = function_of(handler);
    // A tool sees the call. The library checks a handler that the layer does not know.
    int error = next::Comm_set_errhandler(MPI_COMM_WORLD, function != nullptr ? own : handler);
    if (error != MPI_SUCCESS)
        return error;
    {
        const GatePass gate(GatePass::Busy::waits);
        const std::lock_guard<SystemMutex> lock(changing);
        error = change(handler, function);
    }
    return function == nullptr ? PMPI_Comm_set_errhandler(MPI_COMM_WORLD, own) : error;
}

int get_world_handler(MPI_Errhandler *handler) { return PMPI_Comm_get_errhandler(holder, handler); }

} // namespace loomp::mpi
