// Starts and ends MPI.
//
// Tasks call MPI from whatever thread runs them, so the thread level is raised to
// MPI_THREAD_MULTIPLE, whatever the program asked for. If the library provides, or the user wants,
// MPI_THREAD_SERIALIZED, calls pass the gate, and the program has MPI_THREAD_MULTIPLE all the same.
// If it provides less, only the program knows which thread may call, so no call is changed.
//
// A program without OpenMP has no tasks. It starts MPI as it asks to.
#include "mpi/adapters/thread_level.h"
#include "mpi/adapters/tools.h"
#include "mpi/interface/next_calls.h"
#include "mpi/start/layered_ranks.h"
#include "mpi/start/library_start.h"
#include "mpi/start/node_ranks.h"
#include "mpi/waiting/interception.h"
#include "mpi/waiting/mpi_poller.h"
#include "platform/export.h"
#include "platform/openmp_users.h"

#include "loomp/TAMPI.h"
#include "loomp/experimental.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace loomp::mpi;

namespace {

/// The library's own name and version.
void library_version(char (&text)[MPI_MAX_LIBRARY_VERSION_STRING]) {
    int length = 0;
    text[0] = '\0';
    PMPI_Get_library_version(text, &length);
}

void tell_of_level(int asked, int level) {
    if (level < MPI_THREAD_SERIALIZED)
        std::fprintf(stderr,
                     "loomp: MPI_Init: this MPI library provides %s only: only the thread that "
                     "called MPI_Init may call MPI, and a call in a task holds its thread, as "
                     "without loomp; a library that provides MPI_THREAD_SERIALIZED or "
                     "MPI_THREAD_MULTIPLE is needed for tasks that wait\n",
                     level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SINGLE");
    else if (level < asked)
        std::fputs("loomp: this MPI library provides MPI_THREAD_SERIALIZED only: MPI calls are "
                   "made one at a time (LOOMP_MPI_THREAD_LEVEL=serialized says so beforehand)\n",
                   stderr);
}

/// Open MPI 6.0's release candidates lose messages in shared memory if several threads of two ranks
/// call MPI. The program would hang without an explanation.
void tell_of_lost_messages() {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    library_version(version);
    if (std::strncmp(version, "Open MPI v6.0.0rc", 17) == 0 &&
        std::getenv("OMPI_MCA_btl") == nullptr)
        std::fputs("loomp: this release candidate of Open MPI loses messages between threads of "
                   "ranks on one node; OMPI_MCA_btl=self,tcp or LOOMP_MPI_THREAD_LEVEL=serialized "
                   "avoids that\n",
                   stderr);
}

bool is_told_of_tasks = false;

/// The level that MPI_Init has told a program with tasks.
int told_level = MPI_THREAD_MULTIPLE;

/// `highest` is what the threads of the program may do.
int level_to_tell(int required, int highest) {
    // MPI_TASK_MULTIPLE, TAMPI's level, adds nothing to MPI_THREAD_MULTIPLE here.
    if (required == MPI_TASK_MULTIPLE && highest == MPI_THREAD_MULTIPLE)
        return required;
    return loomp_mpi_provides_required() != 0 ? std::min(required, highest) : highest;
}

/// True if the program may have tasks. One that brings MPI while it runs, such as an interpreter,
/// may bring OpenMP later.
bool may_have_tasks() { return is_told_of_tasks || loomp::find_openmp_users().program; }

/// `init` starts MPI as the program asks. The program makes its calls as without the layer, except
/// its collectives in a job with tasks.
template <class Init> int start_without_tasks(Init init) {
    take_layer_name(false);
    const int error = init();
    if (error != MPI_SUCCESS)
        return error;
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (find_ranks_without_layer(rank, false))
        join();
    return MPI_SUCCESS;
}

} // namespace

/// mpi/forward calls this before MPI_Init if the program has loaded libloomp or brings MPI while it
/// runs.
LOOMP_EXPORT void loomp_mpi_may_have_tasks() { is_told_of_tasks = true; }

/// mpi/forward calls this when it has loaded the layer. `next` finds the functions after its own.
LOOMP_EXPORT void loomp_mpi_find_tools_by(tools::Next *next) {
    int is_started = 0;
    find_tools_by(next);
    PMPI_Initialized(&is_started);
    if (is_started != 0 && may_have_tasks())
        report_start_in_front();
}

namespace {

/// After the library's start, which returned `error`: reports one that is not the layer's own.
int report_start_of_others(int error) {
    if (error == MPI_SUCCESS && !is_starting_library() && may_have_tasks())
        report_start_in_front();
    return error;
}

} // namespace

// A tool in front of the layer calls these, and a tool behind it, while the layer starts MPI.
LOOMP_EXPORT int PMPI_Init(int *argc, char ***argv) {
    static const auto start = reinterpret_cast<decltype(&PMPI_Init)>(librarys_start("PMPI_Init"));
    return report_start_of_others(start(argc, argv));
}
LOOMP_EXPORT int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    static const auto start =
        reinterpret_cast<decltype(&PMPI_Init_thread)>(librarys_start("PMPI_Init_thread"));
    return report_start_of_others(start(argc, argv, required, provided));
}

namespace {

/// MPI_Init_thread, or MPI_Init if `provided` is null.
int start_with_tasks(int *argc, char ***argv, int required, int *provided) {
    const int asked = loomp_mpi_thread_level() == 2 ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
    int found = MPI_THREAD_SINGLE;
    take_node_name();
    take_layer_name(true);
    const int error = start_library(argc, argv, asked, &found, provided == nullptr);
    close_gate(error == MPI_SUCCESS && std::min(asked, found) == MPI_THREAD_SERIALIZED);
    const int level = is_gated() ? MPI_THREAD_MULTIPLE : found;
    told_level = level_to_tell(required, level);
    if (provided != nullptr)
        *provided = told_level;
    note_start();
    if (error == MPI_SUCCESS) {
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0)
            tell_of_level(asked, found);
        if (rank == 0 && !is_gated())
            tell_of_lost_messages();
        if (rank == 0) {
            report_tools_in_front();
            report_unseen_calls();
        }
        loomp_set_rank(rank);
        divide_processors(rank);
        loomp_share_memory(ranks_of_node());
        if (level == MPI_THREAD_MULTIPLE) {
            find_ranks_without_layer(rank, true);
            start();
        }
    }
    return error;
}

} // namespace

LOOMP_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    if (is_inside_tool())
        return start_for_tool(argc, argv, required, provided);
    find_tools();
    int level = MPI_THREAD_SINGLE;
    return may_have_tasks()
               ? start_with_tasks(argc, argv, required, provided != nullptr ? provided : &level)
               : start_without_tasks(
                     [&] { return start_library(argc, argv, required, provided, false); });
}

LOOMP_EXPORT int MPI_Init(int *argc, char ***argv) {
    if (is_inside_tool()) {
        int level = MPI_THREAD_SINGLE;
        return start_for_tool(argc, argv, MPI_THREAD_SINGLE, &level);
    }
    find_tools();
    return may_have_tasks() ? start_with_tasks(argc, argv, MPI_THREAD_SINGLE, nullptr)
                            : start_without_tasks([&] { return start_library_alone(argc, argv); });
}

#if MPI_VERSION >= 4
// MPI without MPI_Init: tasks do not wait, but tools see the calls.
LOOMP_EXPORT int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session) {
    static const auto start = next_function("MPI_Session_init", &MPI_Session_init);
    find_tools();
    const InsideTool inside; // a tool may have it
    return start(info, handler, session);
}
#endif

LOOMP_EXPORT int MPI_Finalize() {
    stop();
    take_finishing_name();
    const int error = next::Finalize();
    close_gate(false);
    return error;
}

LOOMP_EXPORT int MPI_Query_thread(int *provided) {
    static const auto query = next_function("MPI_Query_thread", &MPI_Query_thread);
    const InsideTool inside; // a tool may have it
    const int error = query(provided);
    if (is_gated())
        *provided = MPI_THREAD_MULTIPLE;
    *provided = std::min(*provided, told_level);
    return error;
}

/// One line for `loomp info` with this layer's library. It works before and after MPI_Init.
LOOMP_EXPORT void loomp_mpi_describe(char *text, int size) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    library_version(version);
    version[std::strcspn(version, "\n,")] = '\0';
    for (char *tab = version; (tab = std::strchr(tab, '\t')) != nullptr;)
        std::memmove(tab, tab + 1, std::strlen(tab));
    std::snprintf(text, static_cast<std::size_t>(size), "%s", version);
}
