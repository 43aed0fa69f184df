// Tools of others, which define MPI's functions and call the library's PMPI_X (MPI 3.1, 14.2).
//
// A tool behind the layer is a library that the program is linked with, or that is preloaded after
// the layer. Its MPI_X is the next one after the layer's. The layer passes the program's calls to
// it (next_calls.h): outside tasks the call itself, in tasks and for collectives the calls that the
// layer makes of it. The layer's own questions and repeated tests are PMPI_X. A tool sees one
// completion of each request (errors.h, test_for()).
//
// A tool in front of the layer is in the program itself, or is preloaded before the layer. The
// program calls its MPI_X, and that calls PMPI_X: the layer sees nothing of such calls.
//
// Without a tool, a call costs what it costs without this file: the table of next functions has the
// library's.
#pragma once

#include <string>
#include <vector>

#include "platform/atomic.h"

namespace loomp::mpi {

namespace tools {
/// Changed by find_tools() only.
extern Atomic<bool> behind;
/// Returns the function that follows the layer's of this name; null if there is none.
using Next = void *(const char *name);
} // namespace tools

/// True if a tool behind the layer sees the program's calls.
// relaxed: other threads call MPI after MPI_Init, which sets it.
inline bool tool_watches() { return tools::behind.load(std::memory_order_relaxed); }

/// Looks for tools behind the layer. Called in MPI_Init, before MPI is started: no other thread
/// calls MPI.
void find_tools();
/// mpi/forward calls this: the layer is not in the list of libraries in which tools are. `next` is
/// used instead.
void find_tools_by(tools::Next *next);

/// True if a tool behind the layer has this function.
bool tool_has(const char *name);
/// The next function of this name, a tool's or the library's. For functions that have no place in
/// the table.
void *next_function(const char *name);
template <class Function> Function *next_function(const char *name, Function *) {
    return reinterpret_cast<Function *>(next_function(name));
}

/// A function that goes past the layer.
struct InFront {
    const char *name;
    std::string file; ///< that has it; empty: the program
};
/// Returns those of the functions `names` ("MPI_X") whose first definition is a tool's, and calls
/// PMPI_X.
std::vector<InFront> find_in_front(const std::vector<const char *> &names);

} // namespace loomp::mpi
