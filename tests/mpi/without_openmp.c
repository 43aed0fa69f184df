/* Prints what a program finds that the layer could change: the thread level, the process's threads,
 * its processors. Built with OpenMP, it makes its collective in a task, and prints
 * nothing. */
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <sched.h>

#ifndef _OPENMP
static int count_threads(void) {
    int count = -2; /* . and .. */
    DIR *list = opendir("/proc/self/task");
    CHECK(list != NULL);
    while (readdir(list) != NULL)
        ++count;
    closedir(list);
    return count;
}
#endif

static void everyone(void) {
    int sum = 0;
    MPI_Comm same;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &same));
    CHECK_MPI(MPI_Barrier(same));
    CHECK_MPI(MPI_Comm_free(&same));
    for (int i = 0; i < 10; ++i) {
        CHECK_MPI(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK(sum == size * (size - 1) / 2);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv) {
    cpu_set_t processors;
    int level = -1;
    CHECK_MPI(MPI_Init(&argc, &argv));
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK_MPI(MPI_Query_thread(&level));
    CHECK(sched_getaffinity(0, sizeof processors, &processors) == 0);
#ifdef _OPENMP
#pragma omp parallel
#pragma omp single
#pragma omp task
    everyone();
#else
    everyone();
    printf("level %d, %d threads, %d processors\n", level, count_threads(), CPU_COUNT(&processors));
#endif
    return end_mpi();
}
