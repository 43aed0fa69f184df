/* Makes a communicator together with split_in_fortran.f90. usage: split_in_c */
#include "check.h"

int main(int argc, char **argv) {
    MPI_Comm own;
    start_mpi(&argc, &argv);
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &own));
    CHECK_MPI(MPI_Comm_free(&own));
    return end_mpi();
}
