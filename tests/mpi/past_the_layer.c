/* MPI_Init is called through a handle of the library, and so past the layer, which reports it at
 * the first call of a task. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>

int main(int argc, char **argv) {
    Dl_info library;
    int level = 0, flag = 0;
    CHECK(dladdr(dlsym(RTLD_DEFAULT, "PMPI_Get_version"), &library) != 0);
    void *handle = dlopen(library.dli_fname, RTLD_NOW);
    CHECK(handle != NULL);
    int (*init)(int *, char ***, int, int *) =
        (int (*)(int *, char ***, int, int *))dlsym(handle, "MPI_Init_thread");
    /* Before MPI_Init there is nothing to report. */
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
    CHECK_MPI(MPI_Initialized(&flag));
    CHECK_MPI(init(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; ++i) {
#pragma omp task
        CHECK_MPI(MPI_Recv(&argc, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#pragma omp task
        CHECK_MPI(MPI_Barrier(MPI_COMM_SELF));
    }
    return end_mpi();
}
