/* Communicators that are not made of others: of groups (MPI 4), and, if the argument is `others`,
 * with processes that are spawned, or that connect through a port or a socket. While a task waits
 * for the other side, its thread runs the task that the other side waits for. */
#include "check.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { GO = 1, VALUE = 2 };

/* Rank 0 comes first. Rank 1 comes when a later task of rank 0 has sent it `message`. */
static void hold_up(void (*call)(void *message), void *message, int bytes) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            if (rank == 1)
                CHECK_MPI(
                    MPI_Recv(message, bytes, MPI_CHAR, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            call(message);
        }
#pragma omp task
        if (rank == 0)
            CHECK_MPI(MPI_Send(message, bytes, MPI_CHAR, 1, GO, MPI_COMM_WORLD));
    }
}

/* Each rank of the other side sends its number there. */
static void exchange(MPI_Comm both, int expected_others, int value, int expected_value) {
    int others = 0;
    CHECK_MPI(MPI_Comm_remote_size(both, &others));
    CHECK(others == expected_others);
    for (int other = 0; other < others; ++other) {
        int got = -1;
        MPI_Status status;
        CHECK_MPI(MPI_Sendrecv(&value, 1, MPI_INT, other, VALUE, &got, 1, MPI_INT, other, VALUE,
                               both, &status));
        CHECK(got == expected_value + other);
        CHECK(status.MPI_SOURCE == other && status.MPI_TAG == VALUE);
    }
    CHECK_MPI(MPI_Comm_disconnect(&both));
    CHECK(both == MPI_COMM_NULL);
}

/* --- Other processes ------------------------------------------------------------------------- */

enum { SPAWNED = 500, PARENT = 600 };

static void spawn(char *program) {
    char *arguments[] = {"spawned", NULL}, *programs[] = {program, program};
    char **lists[] = {arguments, arguments};
    const int most[] = {1, 1};
    const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    int errors[2] = {-1, -1};
    MPI_Comm both;
    CHECK_MPI(
        MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both, errors));
    CHECK(errors[0] == MPI_SUCCESS);
    exchange(both, 1, PARENT, SPAWNED);
    errors[0] = -1;
    CHECK_MPI(
        MPI_Comm_spawn_multiple(2, programs, lists, most, infos, 0, MPI_COMM_SELF, &both, errors));
    CHECK(errors[0] == MPI_SUCCESS && errors[1] == MPI_SUCCESS);
    exchange(both, 2, PARENT, SPAWNED);
}

static void use_port(void *port) {
    MPI_Comm both;
    if (rank == 0)
        CHECK_MPI(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both));
    else
        CHECK_MPI(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both));
    exchange(both, 1, 10 + rank, 11 - rank);
}
static void connect_by_port(void) {
    char port[MPI_MAX_PORT_NAME] = "";
    if (rank == 0)
        CHECK_MPI(MPI_Open_port(MPI_INFO_NULL, port));
    hold_up(use_port, port, sizeof port);
    if (rank == 0)
        CHECK_MPI(MPI_Close_port(port));
}

static int connection;
static void use_socket(void *message) {
    (void)message;
    MPI_Comm both;
    CHECK_MPI(MPI_Comm_join(connection, &both));
    exchange(both, 1, 20 + rank, 21 - rank);
}
static void connect_by_socket(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t bytes = sizeof address;
    const int end = socket(AF_INET, SOCK_STREAM, 0);
    if (rank == 0) {
        CHECK(bind(end, (struct sockaddr *)&address, bytes) == 0 && listen(end, 1) == 0);
        CHECK(getsockname(end, (struct sockaddr *)&address, &bytes) == 0);
        CHECK_MPI(MPI_Send(&address, sizeof address, MPI_BYTE, 1, GO, MPI_COMM_WORLD));
        connection = accept(end, NULL, NULL);
        CHECK(connection >= 0 && close(end) == 0);
    } else {
        CHECK_MPI(
            MPI_Recv(&address, sizeof address, MPI_BYTE, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        connection = end;
        CHECK(connect(connection, (struct sockaddr *)&address, bytes) == 0);
    }
    char nothing = 0;
    hold_up(use_socket, &nothing, 1);
    CHECK(close(connection) == 0);
}

/* --- Groups ---------------------------------------------------------------------------------- */

#if MPI_VERSION >= 4
static void use_groups(void *message) {
    (void)message;
    MPI_Group all, own, other;
    MPI_Comm made;
    int sum = -1;
    const int peer = 1 - rank;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &all));
    CHECK_MPI(MPI_Group_incl(all, 1, &rank, &own));
    CHECK_MPI(MPI_Group_incl(all, 1, &peer, &other));
    CHECK_MPI(MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made));
    CHECK_MPI(MPI_Allreduce(&peer, &sum, 1, MPI_INT, MPI_SUM, made));
    CHECK(sum == 1);
    CHECK_MPI(MPI_Comm_free(&made));
    CHECK_MPI(MPI_Intercomm_create_from_groups(own, 0, other, 0, "two", MPI_INFO_NULL,
                                               MPI_ERRORS_ARE_FATAL, &made));
    exchange(made, 1, 30 + rank, 31 - rank);
    CHECK_MPI(MPI_Group_free(&all));
    CHECK_MPI(MPI_Group_free(&own));
    CHECK_MPI(MPI_Group_free(&other));
}
#endif

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    MPI_Comm parent;
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) {
        CHECK(argc == 2 && strcmp(argv[1], "spawned") == 0);
        exchange(parent, 1, SPAWNED + rank, PARENT);
        return end_mpi();
    }
    CHECK(size == 2);
    if (argc > 1) {
#pragma omp parallel
#pragma omp single
#pragma omp task
        if (rank == 0)
            spawn(argv[0]);
        connect_by_port();
        connect_by_socket();
    }
#if MPI_VERSION >= 4
    char nothing = 0;
    hold_up(use_groups, &nothing, 1);
#endif
    return end_mpi();
}
