// A program's call, for reports and error messages.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

/// A program's call in which a task waits.
struct Call {
    static constexpr int kUnknown = -1000; ///< a value that no library uses for a rank or a tag
    const char *name = "MPI_Wait";
    MPI_Comm comm = MPI_COMM_NULL; ///< none for calls on the program's own requests
    int peer = kUnknown;
    int tag = kUnknown;
    bool is_layers = false;     ///< the request is the layer's own, which tools do not see
    bool sends = false;         ///< it waits for the sending half of an exchange
    bool knows_start = false;   ///< `started_by` is set
    bool is_elsewhere = false;  ///< `peer` is a rank of an unknown communicator
    const void *from = nullptr; ///< an address in the caller
    /// The call that started its one request: its name, and MPI_COMM_WORLD or none. Not
    /// initialised: each call of the program makes one of these, and only MPI_Wait sets it.
    struct StartedBy {
        StartedBy() {} // NOLINT(modernize-use-equals-default): that would initialise it
        const char *name;
        MPI_Comm comm;
    } started_by = {};
};
/// The address for Call::from, used in an exported function.
#define LOOMP_CALLER __builtin_return_address(0)

} // namespace loomp::mpi
