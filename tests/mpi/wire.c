/* On the test cluster: wire LATENCY_US RATE_MBIT. Messages take as long as the wire says, at least;
 * and a rank whose tasks wait for one leaves its processor to others. */
#include "check.h"

#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Returns the time of one message of so many bytes, there and back, halved. */
static double one_way(char *buffer, int bytes) {
    const int rounds = 4;
    double start = 0;
    for (int i = -1; i < rounds; ++i) {
        if (i == 0)
            start = MPI_Wtime();
        for (int turn = 0; turn < 2; ++turn) {
            if (rank == turn)
                CHECK_MPI(MPI_Send(buffer, bytes, MPI_CHAR, 1 - turn, 0, MPI_COMM_WORLD));
            else
                CHECK_MPI(
                    MPI_Recv(buffer, bytes, MPI_CHAR, turn, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
    }
    return (MPI_Wtime() - start) / rounds / 2;
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    CHECK(argc == 3 && size == 2);
    const double latency = 1e-6 * atof(argv[1]);
    const double byte_time = 8e-6 / atof(argv[2]);
    char node[64] = "";
    gethostname(node, sizeof node);
    CHECK(strcmp(node, rank == 0 ? "node0" : "node1") == 0);

    const int large = 1 << 20;
    char *buffer = calloc(1, (size_t)large);
    CHECK(one_way(buffer, 8) >= latency);
    CHECK(one_way(buffer, large) >= latency + large * byte_time);

    const double pause = 1;
    const double before = processor_seconds();
    if (rank == 0) {
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < 8; ++i) {
#pragma omp task firstprivate(i)
            CHECK_MPI(MPI_Recv(buffer + i, 1, MPI_CHAR, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
        CHECK(processor_seconds() - before < 0.5 * pause);
    } else {
        struct timespec time = {1, 0};
        nanosleep(&time, NULL);
        for (int i = 0; i < 8; ++i)
            CHECK_MPI(MPI_Send(buffer, 1, MPI_CHAR, 0, i, MPI_COMM_WORLD));
    }
    free(buffer);
    return end_mpi();
}
