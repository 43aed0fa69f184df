/* A tool that counts calls of Open MPI's Fortran routines: those that mpif.h and `use mpi` call
 * (mpi_send_), and those that `use mpi_f08` calls (mpi_send_f08_). */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef void *Address;

/* ROUTINE(NAME, PARAMETERS, ARGUMENTS): counts, and calls the library's. */
#define ROUTINE(NAME, PARAMETERS, ARGUMENTS)                                                       \
    static atomic_int count_##NAME;                                                                \
    void p##NAME PARAMETERS;                                                                       \
    void NAME PARAMETERS;                                                                          \
    void NAME PARAMETERS {                                                                         \
        atomic_fetch_add(&count_##NAME, 1);                                                        \
        p##NAME ARGUMENTS;                                                                         \
    }
#define SEVEN (Address a, Address b, Address c, Address d, Address e, Address f, Address g)
#define EIGHT                                                                                      \
    (Address a, Address b, Address c, Address d, Address e, Address f, Address g, Address h)
#define VALUES_7 (a, b, c, d, e, f, g)
#define VALUES_8 (a, b, c, d, e, f, g, h)

ROUTINE(mpi_send_, SEVEN, VALUES_7)
ROUTINE(mpi_isend_, EIGHT, VALUES_8)
ROUTINE(mpi_recv_, EIGHT, VALUES_8)
ROUTINE(mpi_irecv_, EIGHT, VALUES_8)
ROUTINE(mpi_send_f08_, SEVEN, VALUES_7)
ROUTINE(mpi_recv_f08_, EIGHT, VALUES_8)
ROUTINE(mpi_barrier_, (Address a, Address b), (a, b))
ROUTINE(mpi_ibarrier_, (Address a, Address b, Address c), (a, b, c))
ROUTINE(mpi_barrier_f08_, (Address a, Address b), (a, b))

static void add(char *line, const char *name, int count) {
    const size_t length = strlen(line);
    if (count != 0)
        snprintf(line + length, 512 - length, " %s %d", name, count);
}

__attribute__((destructor)) static void print(void) {
#define ADD(NAME) add(line, #NAME, count_##NAME);
    char line[513] = "a rank:";
    if (count_mpi_send_f08_ + count_mpi_recv_f08_ == 0)
        return; /* no rank */
    ADD(mpi_send_)
    ADD(mpi_isend_)
    ADD(mpi_recv_)
    ADD(mpi_irecv_)
    ADD(mpi_send_f08_)
    ADD(mpi_recv_f08_)
    ADD(mpi_barrier_)
    ADD(mpi_ibarrier_)
    ADD(mpi_barrier_f08_)
    fputs(strcat(line, "\n"), stdout);
}
