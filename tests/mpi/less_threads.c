/* An MPI library that has MPI_THREAD_SERIALIZED at most: preloaded before the real one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int (*init)(int *, char ***, int, int *) = dlsym(RTLD_NEXT, "PMPI_Init_thread");
    const int most = MPI_THREAD_SERIALIZED;
    return init(argc, argv, required < most ? required : most, provided);
}
