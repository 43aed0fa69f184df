// Tools of others, which define MPI's functions and call the library's PMPI_X (MPI 3.1, 14.2).
//
// A tool behind the layer is a library that the program is linked with, or that is preloaded after
// the layer. Its MPI_X is the next one after the layer's. The layer passes the program's calls to
// it (next_calls.h): outside tasks the call itself, in tasks and for collectives the calls that the
// layer makes of it. The layer's own questions and repeated tests are PMPI_X. A tool sees one
// completion of each request (errors.h, test_for()).
//
// A tool calls MPI, too, in its functions: PMPI_X, which the layer does not see, or MPI_X. While a
// thread is in a tool's function, its calls are the tool's (InsideTool), and go on to the next
// function as they are. The layer neither suspends the task, nor makes other calls of them, nor
// takes a lock: a tool may be called under a lock of the layer, and for a call that the layer makes
// of another one.
//
// A tool in front of the layer is in the program itself, or is preloaded before the layer. The
// program calls its MPI_X, and that calls PMPI_X: the layer sees nothing of such calls.
//
// Without a tool, a call costs what it costs without this file: the table of next functions has the
// library's. A tool's functions are in it by functions that make an InsideTool (gated_calls.cpp).
#pragma once

#include <string>
#include <vector>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::mpi {

namespace tools {
/// Changed by find_tools() only.
extern Atomic<bool> watch_completions;
/// The count of the tools' functions that the calling thread is in. It lies in the memory that
/// threads have from their start, because every call asks for it.
extern LOOMP_THREAD_LOCAL int depth __attribute__((tls_model("initial-exec")));
/// Returns the function that follows the layer's of this name; null if there is none.
using Next = void *(const char *name);
} // namespace tools

/// True if a tool behind the layer has tests, waits or probes. The tool must not see the tests that
/// the layer repeats.
// relaxed: other threads call MPI after MPI_Init, which sets it.
inline bool tool_watches() { return tools::watch_completions.load(std::memory_order_relaxed); }

/// The calling thread is in a tool's function while an object exists. The task stays on its thread
/// meanwhile, because the layer suspends nobody there.
class InsideTool {
  public:
    InsideTool() { ++tools::depth; }
    ~InsideTool() { --tools::depth; }
    InsideTool(const InsideTool &) = delete;
    InsideTool &operator=(const InsideTool &) = delete;
};
/// True if the calling thread's calls are a tool's.
inline bool is_inside_tool() { return tools::depth != 0; }

/// Looks for tools behind the layer. Called before MPI is started; only the first call does
/// something, and others wait for it.
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

struct ToolFunction {
    const char *name;
    std::string file; ///< that has it; empty: the program
};
/// Returns those of the functions `names` ("MPI_X") whose first definition is a tool's, and calls
/// PMPI_X: they go past the layer.
std::vector<ToolFunction> find_in_front(const std::vector<const char *> &names);

/// A call that the layer makes of another one, both by name ("MPI_X").
struct MadeBy {
    const char *call;
    const char *by;
};
struct Unseen {
    MadeBy pair;
    std::string file; ///< the tool
};
/// Returns those of the pairs whose `call` a tool behind the layer has without `by`.
std::vector<Unseen> find_unseen(const std::vector<MadeBy> &pairs);

} // namespace loomp::mpi
