// MPI calls as the collector of `loomp check` gets to know them: their messages, the memory that
// they use, and when a nonblocking one is complete.
//
// A blocking call uses its memory as the calling task does. A nonblocking one is a task of its own,
// from the call to the completion that the program asks for: MPI_Wait() and its kin join it.
//
// Thread safety: any thread calls these functions.
#pragma once

#include <cstdint>
#include <dlfcn.h>
#include <mpi.h>
#include <utility>

#include "platform/export.h"
#include "profiler/check/observer/mpi/call_uses.h"
#include "profiler/format/functions.h"

#define LOOMP_CALLER __builtin_return_address(0)

/// The function behind one of this library.
#define LOOMP_NEXT(NAME)                                                                           \
    ([] {                                                                                          \
        static const auto next =                                                                   \
            reinterpret_cast<decltype(&::MPI_##NAME)>(dlsym(RTLD_NEXT, "MPI_" #NAME));             \
        return next;                                                                               \
    }())

namespace loomp::check {

using record::Function;

struct Call {
    Function function;
    const void *from; ///< the program's code
};

/// Reports a blocking call.
void note(const Call &call, const Uses &uses);
/// Reports a nonblocking call, which has returned a request at this address: MPI_Request, or
/// Fortran's integer.
void begin(const Call &call, const Uses &uses, const void *request, MPI_Request handle);
/// Keeps what a persistent request uses each time when it is started.
void keep(Uses uses, MPI_Request request);
void begin_kept(const void *from, const void *request, MPI_Request handle);

/// The program has found a request complete. `request` is its address, `handle` its value before.
void complete(const void *request, MPI_Request handle);
/// The request does not exist any more.
void forget(const void *request, MPI_Request handle);

/// `describe(uses)` enters what the call uses.
template <class Describe> Uses uses_of(const Describe &describe) {
    Uses uses;
    describe(uses);
    return uses;
}

template <class Next, class Describe, class... Arguments>
int blocking(const Call &call, Next next, const Describe &describe, Arguments... arguments) {
    note(call, uses_of(describe));
    return next(arguments...);
}

template <class Next, class Describe, class... Arguments>
int start(const Call &call, Next next, const Describe &describe, MPI_Request *request,
          Arguments... arguments) {
    const int error = next(arguments..., request);
    if (error == MPI_SUCCESS)
        begin(call, uses_of(describe), request, *request);
    return error;
}

template <class Next, class Describe, class... Arguments>
int initialize(const Call & /*call*/, Next next, const Describe &describe, MPI_Request *request,
               Arguments... arguments) {
    const int error = next(arguments..., request);
    if (error == MPI_SUCCESS)
        keep(uses_of(describe), *request);
    return error;
}

} // namespace loomp::check
