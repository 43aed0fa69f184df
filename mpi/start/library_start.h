// Starts the MPI library, through a tool behind the layer if there is one (mpi/adapters/tools.h).
// Reports tools in front of the layer, and calls that a tool behind it does not see.
//
// A tool in front that has MPI_Init calls PMPI_Init, and the layer is not started. Therefore the
// layer has PMPI_Init, too, and reports calls that are not its own (init.cpp).
#pragma once

namespace loomp::mpi {

/// The next MPI_Init_thread. `by_init`: the program has called MPI_Init. If a tool has that one
/// only, it is called, and the environment has the level meanwhile.
int start_library(int *argc, char ***argv, int asked, int *provided, bool by_init);
/// The next MPI_Init, with the level that is the library's choice.
int start_library_alone(int *argc, char ***argv);
/// MPI_Init_thread or MPI_Init that a tool calls instead of PMPI_X, with at least the level that
/// the layer asks for.
int start_for_tool(int *argc, char ***argv, int asked, int *provided);
/// True while one of these runs.
bool is_starting_library();
/// The library's own PMPI_Init or PMPI_Init_thread.
void *librarys_start(const char *name);

/// A tool in front has started MPI: rank 0 reports it. Called after PMPI_Init.
void report_start_in_front();
// Rank 0 calls these after MPI_Init.
/// Reports tools in front that have other functions.
void report_tools_in_front();
/// Reports calls that a tool behind the layer has without those that the layer makes of them.
void report_unseen_calls();

} // namespace loomp::mpi
