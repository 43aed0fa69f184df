/* An MPI library that has MPI_THREAD_SERIALIZED at most, or PRETENDS something else: preloaded
 * before the real one. `funneled`: it has less than that. `version`: it is a release candidate.
 * `full`: it has no memory for a list of 1024 requests. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int pretends(const char *what) {
    const char *told = getenv("PRETENDS");
    return told != NULL && strcmp(told, what) == 0;
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int (*init)(int *, char ***, int, int *) = dlsym(RTLD_NEXT, "PMPI_Init_thread");
    const int most = pretends("version")    ? MPI_THREAD_MULTIPLE
                     : pretends("funneled") ? MPI_THREAD_FUNNELED
                                            : MPI_THREAD_SERIALIZED;
    return init(argc, argv, required < most ? required : most, provided);
}

int PMPI_Get_library_version(char *version, int *length) {
    int (*get)(char *, int *) = dlsym(RTLD_NEXT, "PMPI_Get_library_version");
    if (!pretends("version"))
        return get(version, length);
    strcpy(version, "Open MPI v6.0.0rc9, package: none");
    *length = (int)strlen(version);
    return MPI_SUCCESS;
}

void *__libc_realloc(void *, size_t);
void *realloc(void *old, size_t bytes) {
    const int is_list = old == NULL && bytes == 1024 * sizeof(MPI_Request);
    return is_list && pretends("full") ? NULL : __libc_realloc(old, bytes);
}
