// Start and end of MPI, and what changes how errors are seen.
//
// Tasks call MPI from whatever thread runs them, so the thread level is raised to
// MPI_THREAD_MULTIPLE, whatever the program asked for. Where the library has less, or the user
// wants less, calls pass the gate, and the program has MPI_THREAD_MULTIPLE all the same.
#include "mpi/errors.h"
#include "mpi/export.h"
#include "mpi/gate.h"
#include "mpi/node_ranks.h"
#include "mpi/poller.h"

#include "loomp/TAMPI.h"
#include "loomp/loomp.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

using namespace loomp::mpi;

namespace {

/// Who called MPI_Init, while another thread makes all calls.
pthread_t main_thread{};

int level_to_ask_for() {
    switch (loomp_mpi_thread_level()) {
    case 1:
        return MPI_THREAD_FUNNELED;
    case 2:
        return MPI_THREAD_SERIALIZED;
    default:
        return MPI_THREAD_MULTIPLE;
    }
}

void close_after_init(int asked, int provided) {
    if (asked == MPI_THREAD_MULTIPLE && provided == MPI_THREAD_SERIALIZED) {
        close_gate(Gate::one_at_a_time, gate_duty());
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0)
            std::fputs(
                "loomp: this MPI library provides MPI_THREAD_SERIALIZED only: MPI calls are "
                "made one at a time (LOOMP_MPI_THREAD_LEVEL=serialized says so beforehand)\n",
                stderr);
    }
    if (asked == MPI_THREAD_SERIALIZED && provided < MPI_THREAD_SERIALIZED)
        open_gate();
}

/// The library's name and version, as it says them.
void library_version(char (&text)[MPI_MAX_LIBRARY_VERSION_STRING]) {
    int length = 0;
    text[0] = '\0';
    PMPI_Get_library_version(text, &length);
}

/// Open MPI 6.0's release candidates lose messages in shared memory where several threads of two
/// ranks call MPI: a hang that nobody would explain.
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

} // namespace

LOOMP_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    const int asked = level_to_ask_for();
    int level = MPI_THREAD_SINGLE;
    int error = MPI_SUCCESS;
    take_node_name();
    main_thread = pthread_self();
    if (asked != MPI_THREAD_MULTIPLE &&
        !close_gate(asked == MPI_THREAD_FUNNELED ? Gate::one_thread : Gate::one_at_a_time,
                    gate_duty())) {
        std::fputs("loomp: the system has no thread left that could make all MPI calls\n", stderr);
        return MPI_ERR_OTHER;
    }
    inside_gate([&] { error = PMPI_Init_thread(argc, argv, asked, &level); });
    if (error == MPI_SUCCESS)
        close_after_init(asked, level);
    else
        open_gate();
    if (is_gated())
        level = MPI_THREAD_MULTIPLE;
    // More is TAMPI's name for what there is anyway.
    if (provided != nullptr)
        *provided =
            level == MPI_THREAD_MULTIPLE && required == MPI_TASK_MULTIPLE ? required : level;
    if (error == MPI_SUCCESS) {
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0 && !is_gated())
            tell_of_lost_messages();
        divide_processors(rank);
        loomp_share_memory(ranks_of_node());
        start(level);
    }
    return error;
}

LOOMP_EXPORT int MPI_Init(int *argc, char ***argv) {
    return MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, nullptr);
}

LOOMP_EXPORT int MPI_Finalize() {
    stop();
    const int error = PMPI_Finalize();
    open_gate();
    return error;
}

LOOMP_EXPORT int MPI_Query_thread(int *provided) {
    const int error = PMPI_Query_thread(provided);
    if (is_gated())
        *provided = MPI_THREAD_MULTIPLE;
    return error;
}

LOOMP_EXPORT int MPI_Is_thread_main(int *flag) {
    if (!has_mpi_thread())
        return PMPI_Is_thread_main(flag);
    *flag = pthread_equal(pthread_self(), main_thread) != 0 ? 1 : 0;
    return MPI_SUCCESS;
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
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    library_version(version);
    version[std::strcspn(version, "\n,")] = '\0';
    for (char *tab = version; (tab = std::strchr(tab, '\t')) != nullptr;)
        std::memmove(tab, tab + 1, std::strlen(tab));
    std::snprintf(text, static_cast<std::size_t>(size), "%s", version);
}
