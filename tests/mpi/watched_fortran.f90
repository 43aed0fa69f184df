! Messages by both of Open MPI's bindings, outside tasks and in tasks, for a tool (tool_fortran.c).
subroutine by_mpi(rank, tag)
    use mpi
    integer :: rank, tag, value, code
    value = tag
    if (rank == 0) call MPI_Send(value, 1, MPI_INTEGER, 1, tag, MPI_COMM_WORLD, code)
    if (rank == 1) call MPI_Recv(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    if (code /= MPI_SUCCESS .or. value /= tag) error stop
end subroutine

subroutine by_mpi_f08(rank, tag)
    use mpi_f08
    integer :: rank, tag, value
    value = tag
    if (rank == 0) call MPI_Send(value, 1, MPI_INTEGER, 1, tag, MPI_COMM_WORLD)
    if (rank == 1) call MPI_Recv(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (value /= tag) error stop
end subroutine

program watched
    use mpi_f08
    integer :: rank
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call by_mpi(rank, 1)
    call by_mpi_f08(rank, 2)
    !$omp parallel
    !$omp single
    !$omp task
    call by_mpi(rank, 3)
    !$omp end task
    !$omp task
    call by_mpi_f08(rank, 4)
    !$omp end task
    !$omp end single
    !$omp end parallel
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Finalize()
end program
