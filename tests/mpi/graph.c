/* loomp_speculation_begin_on(): iterations after the last are cancelled on all ranks, with receives
 * that wait for what nobody sends and with messages that nobody receives, small and large; and the
 * communicator is as it was. */
#include "check.h"

#include "loomp/loomp_mpi.h"

#include <string.h>
#include <unistd.h>

#define ITERATIONS 40
#define LARGE (1 << 18) /* more than is sent before the receiver is there */

static int right, left;
static char *incoming, *outgoing;

/* In each iteration a message to the right, which a task on the other side waits for; tasks of one
 * iteration wait for those of the one before, except the receives, which wait for their buffer
 * only, and run ahead where there are several. */
static int solve(MPI_Comm comm, int last, int deciding, int bytes, int *received) {
    int completed = -1;
    *received = 0;
#pragma omp parallel
#pragma omp single
    {
        int done = 0;
        loomp_speculation_t *iterations = loomp_speculation_begin_on(comm);
        CHECK(iterations != NULL);
        for (int i = 0; i < ITERATIONS && loomp_speculation_next(iterations) >= 0; ++i) {
            char *in = incoming + (size_t)(i % 4) * LARGE;
#pragma omp task depend(out : *in) firstprivate(in, i)
            {
                MPI_Status status;
                int cancelled = 0;
                CHECK_MPI(MPI_Recv(in, bytes, MPI_CHAR, left, i, comm, &status));
                CHECK_MPI(MPI_Test_cancelled(&status, &cancelled));
                CHECK(cancelled || in[0] == (char)i);
#pragma omp atomic
                *received += !cancelled;
            }
            /* Up to the last all send; then only even ranks, to neighbours that may wait no more.
             */
#pragma omp task depend(inout : done) firstprivate(i)
            {
                outgoing[0] = (char)i;
                if (i <= last || rank % 2 == 0)
                    CHECK_MPI(MPI_Send(outgoing, bytes, MPI_CHAR, right, i, comm));
                ++done;
            }
#pragma omp task depend(in : *in) depend(inout : done) firstprivate(i)
            if (i == last && (deciding == size || rank == deciding))
                loomp_speculation_cut(iterations, loomp_speculation_iteration(iterations));
        }
        completed = loomp_speculation_end(iterations);
    }
    return completed;
}

static void solve_all(MPI_Comm comm) {
    const int sizes[] = {1, LARGE};
    int received = 0;
    for (int s = 0; s < 2; ++s) {
        /* Nobody decides; one does, the others are told; all do. */
        CHECK(solve(comm, ITERATIONS, 0, sizes[s], &received) == ITERATIONS);
        CHECK(received == ITERATIONS);
        for (int deciding = 0; deciding <= size; ++deciding) {
            const int last = 3 + 2 * deciding;
            CHECK(solve(comm, last, deciding, sizes[s], &received) == last + 1);
            CHECK(received >= last + 1);
            /* Nothing is left for whoever comes next. */
            CHECK_MPI(MPI_Barrier(comm));
            int flag = 1;
            CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
            CHECK(!flag);
            CHECK_MPI(MPI_Barrier(comm));
        }
    }
}

/* The earliest of a rank's cuts counts on all ranks, also if they know of another. */
static void cut_twice(MPI_Comm comm) {
#pragma omp parallel
#pragma omp single
    {
        loomp_speculation_t *iterations = loomp_speculation_begin_on(comm);
        for (int i = 0; i < ITERATIONS && loomp_speculation_next(iterations) >= 0; ++i) {
#pragma omp task firstprivate(i)
            if (i == 2 && rank == 0) {
                loomp_speculation_cut(iterations, 7);
                usleep(10000);
                loomp_speculation_cut(iterations, 3);
            }
        }
        CHECK(loomp_speculation_end(iterations) == 4);
    }
}

/* Wrong calls: each has one line on stderr. */

static FILE *said;
static int real_stderr;

static void listen(void) {
    fflush(stderr);
    real_stderr = dup(2);
    said = tmpfile();
    CHECK(real_stderr >= 0 && said != NULL && dup2(fileno(said), 2) == 2);
}

static void check_said(const char *expected) {
    char text[1000] = "";
    CHECK(dup2(real_stderr, 2) == 2);
    close(real_stderr);
    rewind(said);
    text[fread(text, 1, sizeof text - 1, said)] = '\0';
    fclose(said);
    const size_t length = strlen(text);
    if (strncmp(text, "loomp: ", 7) != 0 || length == 0 ||
        strchr(text, '\n') != text + length - 1 || strstr(text, expected) == NULL)
        fprintf(stderr, "not \"%s\": %s\n", expected, text);
    CHECK(strstr(text, expected) != NULL && strchr(text, '\n') == text + length - 1);
}

static void use_wrongly(MPI_Comm comm) {
    listen();
    CHECK(loomp_speculation_begin_on(comm) == NULL);
    check_said("loomp_speculation_begin_on: call it in a parallel region, in the task that creates "
               "those of the iterations\n");
    MPI_Comm half, between;
    CHECK_MPI(MPI_Comm_split(comm, rank % 2, 0, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 5, &between));
#pragma omp parallel
#pragma omp single
    {
        listen();
        CHECK(loomp_speculation_begin_on(between) == NULL);
        check_said("loomp_speculation_begin_on: an intracommunicator is needed\n");
        loomp_speculation_t *iterations = loomp_speculation_begin_on(comm);
        CHECK(iterations != NULL);
        listen();
        CHECK(loomp_speculation_begin_on(comm) == NULL);
        check_said("loomp_speculation_begin_on: this communicator has iterations already\n");
        listen();
#pragma omp task /* before the first iteration */
        loomp_speculation_cut(iterations, loomp_speculation_iteration(iterations));
#pragma omp taskwait
        check_said("loomp_speculation_cut(): no iteration has the number -1 (a task that belongs "
                   "to none calls it?); ignored\n");
        CHECK(loomp_speculation_next(iterations) == 0);
        CHECK(loomp_speculation_end(iterations) == 1);
    }
    CHECK_MPI(MPI_Comm_free(&between));
    CHECK_MPI(MPI_Comm_free(&half));
}

int main(int argc, char **argv) {
    listen();
    CHECK(loomp_speculation_begin_on(MPI_COMM_WORLD) == NULL);
    check_said("loomp_speculation_begin_on: MPI calls are not taken over here: call it after "
               "MPI_Init, with a library that provides MPI_THREAD_SERIALIZED or more\n");
    start_mpi(&argc, &argv);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    incoming = calloc(4, LARGE);
    outgoing = calloc(1, LARGE);
    MPI_Comm comm;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (size > 1)
        use_wrongly(comm);
    for (int left = repetitions(); left > 0; --left)
        solve_all(comm);
    cut_twice(comm);
    CHECK_MPI(MPI_Comm_free(&comm));
    free(incoming);
    free(outgoing);
    return end_mpi();
}
