! The ranks call different collectives, in tasks. usage: collective_order_fortran
program collective_order_fortran
    use mpi
    implicit none
    integer :: code, level, rank, total
    call mpi_init_thread(MPI_THREAD_MULTIPLE, level, code)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, code)
    !$omp parallel
    !$omp single
    !$omp task
    if (rank == 1) then
        call mpi_barrier(MPI_COMM_WORLD, code)
    else
        call mpi_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    end if
    !$omp end task
    !$omp end single
    !$omp end parallel
    call mpi_finalize(code)
end program
