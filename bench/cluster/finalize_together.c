/* Preloaded into MPICH's programs on the test cluster by its mpirun: no rank leaves MPI before all
 * have stopped to talk.
 *
 * On UCX 1.13's TCP, MPICH 4.0 closes a connection by a message that the other side must answer,
 * and answers only until its own are answered: then it waits for the others without looking at the
 * network. A rank that comes to MPI_Finalize later than its answer to another did waits for ever,
 * with any program, whether on loomp or not. Here all meet first: by a barrier, so that nothing is
 * under way, and then in a folder, LOOMP_CLUSTER_MEETING, without MPI, so that nobody answers any
 * more before it has asked. */
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

/* Called by a layer that takes MPI_Finalize over. */
int PMPI_Finalize(void) {
    meet();
    return ((Finalize *)dlsym(RTLD_NEXT, "PMPI_Finalize"))();
}

int MPI_Finalize(void) {
    Finalize *next = (Finalize *)dlsym(RTLD_NEXT, "MPI_Finalize");
    /* The library's own: no layer is between. */
    if (next == (Finalize *)dlsym(RTLD_NEXT, "PMPI_Finalize"))
        meet();
    return next();
}
