// Prints for each of MPI's names in names.h whether a weak reference has it, and whether dlsym()
// finds it. To stderr: how many of them are loomp's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define NAME(name) extern int name(void) __attribute__((weak));
#include "names.h"
#undef NAME

static int of_loomp;

static void print(const char *name, int (*reference)(void)) {
    void *found = dlsym(RTLD_DEFAULT, name);
    Dl_info place;
    if (reference != NULL && dladdr((void *)reference, &place) != 0)
        of_loomp += strstr(place.dli_fname, "libloomp-mpi") != NULL;
    // A look-up that fails has a reason.
    printf("%d %d %s%s\n", reference != NULL, found != NULL, name,
           found == NULL && dlerror() == NULL ? ", no reason" : "");
}

void look_up(void) {
#define NAME(name) print(#name, name);
#include "names.h"
    fprintf(stderr, "names of loomp: %d\n", of_loomp);
}

static int call(const char *name, int *argc, char ***argv) {
    return ((int (*)(int *, char ***))dlsym(RTLD_DEFAULT, name))(argc, argv);
}

// The layer is loaded by the first call, and has more names than the library.
int main(int argc, char **argv) {
    look_up();
    call("MPI_Init", &argc, &argv);
    look_up();
    return call("MPI_Finalize", NULL, NULL);
}
