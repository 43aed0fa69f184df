// Start and end of MPI, and what changes how errors are seen.
//
// Tasks call MPI from whatever thread runs them, so the thread level is raised to
// MPI_THREAD_MULTIPLE, whatever the program asked for.
#include "mpi/errors.h"
#include "mpi/export.h"
#include "mpi/node_ranks.h"
#include "mpi/poller.h"

#include "loomp/TAMPI.h"

#include <cstdio>
#include <cstring>

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int level = MPI_THREAD_SINGLE;
    take_node_name();
    const int error = PMPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
    // More is TAMPI's name for what there is anyway.
    if (provided != nullptr)
        *provided =
            level == MPI_THREAD_MULTIPLE && required == MPI_TASK_MULTIPLE ? required : level;
    if (error == MPI_SUCCESS) {
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        divide_processors(rank);
        start(level);
    }
    return error;
}

LOOMP_EXPORT int MPI_Init(int *argc, char ***argv) {
    return MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, nullptr);
}

LOOMP_EXPORT int MPI_Finalize() {
    stop();
    return PMPI_Finalize();
}

LOOMP_EXPORT int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    if (handler != MPI_ERRORS_ARE_FATAL)
        expect_errors();
    return PMPI_Comm_set_errhandler(comm, handler);
}

LOOMP_EXPORT int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler) {
    const int error = PMPI_Comm_get_errhandler(comm, handler);
    if (error == MPI_SUCCESS && is_own(*handler)) {
        PMPI_Errhandler_free(handler);
        *handler = MPI_ERRORS_ARE_FATAL;
    }
    return error;
}

/// One line for `loomp info`: which library this layer is for. Before or after MPI_Init.
LOOMP_EXPORT void loomp_mpi_describe(char *text, int size) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    PMPI_Get_library_version(version, &length);
    version[std::strcspn(version, "\n,")] = '\0';
    for (char *tab = version; (tab = std::strchr(tab, '\t')) != nullptr;)
        std::memmove(tab, tab + 1, std::strlen(tab));
    std::snprintf(text, static_cast<std::size_t>(size), "%s", version);
}
