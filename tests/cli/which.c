/* Prints the size of a team and the name of the OpenMP runtime's file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    Dl_info runtime = {0};
    void *symbol = dlsym(RTLD_DEFAULT, "omp_get_num_threads");
    char path[PATH_MAX] = "none";
    if (symbol != NULL && dladdr(symbol, &runtime) != 0 &&
        realpath(runtime.dli_fname, path) == NULL)
        return 1;
#pragma omp parallel
#pragma omp single
    printf("%d %s\n", omp_get_num_threads(), basename(path));
    return 0;
}
