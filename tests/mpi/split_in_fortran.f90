! Makes a communicator together with split_in_c.c. usage: split_in_fortran
program split
    use mpi_f08
    implicit none
    type(MPI_Comm) :: own
    integer :: rank
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, own)
    call MPI_Comm_free(own)
    call MPI_Finalize()
end program
