// A call of the program's, as reports and error messages name it.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

/// A call of the program's in which a task waits.
struct Call {
    static constexpr int kUnknown = -1000; ///< what no library uses for a rank or a tag
    const char *name = "MPI_Wait";
    MPI_Comm comm = MPI_COMM_NULL; ///< none for calls on the program's own requests
    int peer = kUnknown;
    int tag = kUnknown;
    const void *from = nullptr; ///< an address in the caller
};
/// Within an exported function: the address for Call::from.
#define LOOMP_CALLER __builtin_return_address(0)

} // namespace loomp::mpi
