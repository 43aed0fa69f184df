#include "mpi/adapters/collective_algorithms.h"

#include <cstddef> // for MPI_T_CVAR_HANDLE_NULL
#include <mpi.h>

namespace loomp::mpi {

namespace {

/// The values of Open MPI's variable below (4.1, 5.0).
constexpr int kLibrarysChoice = 0;
constexpr int kRecursiveDoubling = 4;

/// Constant once calls are intercepted.
bool doubles = false;

} // namespace

void choose_collective_algorithms() {
    // For sums of a few numbers, Open MPI chooses a tree up and another one down, which takes twice
    // as long as its blocking form. Other libraries lack the variable.
    int level = MPI_THREAD_SINGLE;
    if (MPI_T_init_thread(MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
        return;
    int index = 0;
    int count = 0;
    int value = 0;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    if (MPI_T_cvar_get_index("coll_libnbc_iallreduce_algorithm", &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
        if (count == 1 && MPI_T_cvar_read(handle, &value) == MPI_SUCCESS &&
            value == kLibrarysChoice)
            doubles = MPI_T_cvar_write(handle, &kRecursiveDoubling) == MPI_SUCCESS;
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_T_finalize();
}

bool nonblocking_sums_double() { return doubles; }

} // namespace loomp::mpi
