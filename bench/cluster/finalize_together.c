/* Preloaded into MPICH's programs on the test cluster by its mpirun: no rank leaves MPI before all
 * have stopped communicating.
 *
 * On UCX 1.13's TCP, MPICH 4.0 closes a connection by a message that the other side must answer,
 * and answers only until its own are answered: then it waits for the others without looking at the
 * network. If a rank calls MPI_Finalize after its answer to another rank arrived, it waits forever,
 * in any program, with or without loomp. Therefore all ranks meet first: at a barrier, so that no
 * message is in flight, and then in the folder LOOMP_CLUSTER_MEETING, without MPI. After that, no
 * rank answers before it has sent its own message. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef int Finalize(void);

static int count_entries(const char *path) {
    int entries = -2; /* "." and ".." */
    DIR *folder = opendir(path);
    if (folder == NULL)
        return 0;
    while (readdir(folder) != NULL)
        ++entries;
    closedir(folder);
    return entries;
}

static void meet(void) {
    const char *folder = getenv("LOOMP_CLUSTER_MEETING");
    int rank, size;
    char name[4096];
    if (folder == NULL)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Barrier(MPI_COMM_WORLD);
    snprintf(name, sizeof name, "%s/%d", folder, rank);
    close(open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    while (count_entries(folder) < size) {
        const struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
}

/* A layer that intercepts MPI_Finalize calls this. */
int PMPI_Finalize(void) {
    meet();
    return ((Finalize *)dlsym(RTLD_NEXT, "PMPI_Finalize"))();
}

int MPI_Finalize(void) {
    Finalize *next = (Finalize *)dlsym(RTLD_NEXT, "MPI_Finalize");
    /* The library's own function, without a layer between. */
    if (next == (Finalize *)dlsym(RTLD_NEXT, "PMPI_Finalize"))
        meet();
    return next();
}
