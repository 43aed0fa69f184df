! Ranks with the layer, and a last one without it, call the same collectives by mpif.h's names and by
! those of mpi_f08. While a task waits in one, its thread runs another task.
! usage: several_programs_fortran [plain]
module old
    use mpi
    implicit none
    private
    public :: some
contains
    subroutine some(value, total)
        integer, intent(out) :: value, total
        integer :: code, rank, count
        call mpi_comm_rank(MPI_COMM_WORLD, rank, code)
        call mpi_comm_size(MPI_COMM_WORLD, count, code)
        value = merge(42, 0, rank == count - 1)
        call mpi_bcast(value, 1, MPI_INTEGER, count - 1, MPI_COMM_WORLD, code)
        total = rank
        call mpi_allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
        call mpi_barrier(MPI_COMM_WORLD, code)
    end subroutine
end module

module new
    use mpi_f08
    implicit none
    private
    public :: some_f08
contains
    subroutine some_f08(value, total)
        integer, intent(out) :: value, total
        integer :: rank, count
        integer, asynchronous :: shared_value
        call mpi_comm_rank(MPI_COMM_WORLD, rank)
        call mpi_comm_size(MPI_COMM_WORLD, count)
        shared_value = merge(42, 0, rank == count - 1)
        call mpi_bcast(shared_value, 1, MPI_INTEGER, count - 1, MPI_COMM_WORLD)
        value = shared_value
        call mpi_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
        call mpi_barrier(MPI_COMM_WORLD)
    end subroutine
end module

program several_programs_fortran
    use mpi
    use old
    use new
    implicit none
    integer :: code, level, rank, count, value, total, go, i, round
    logical :: plain
    call mpi_init_thread(MPI_THREAD_MULTIPLE, level, code)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, code)
    call mpi_comm_size(MPI_COMM_WORLD, count, code)
    plain = command_argument_count() > 0
    go = 1
    do round = 1, 2
        value = 0
        total = 0
        if (plain) then
            do i = 0, count - 2
                call mpi_recv(go, 1, MPI_INTEGER, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
            end do
            if (round == 1) call some(value, total)
            if (round == 2) call some_f08(value, total)
        else
            !$omp parallel
            !$omp single
            !$omp task shared(value, total)
            if (round == 1) call some(value, total)
            if (round == 2) call some_f08(value, total)
            !$omp end task
            !$omp task shared(go)
            call mpi_send(go, 1, MPI_INTEGER, count - 1, 1, MPI_COMM_WORLD, code)
            !$omp end task
            !$omp end single
            !$omp end parallel
        end if
        if (value /= 42 .or. total /= count * (count - 1) / 2) then
            print *, 'rank', rank, 'round', round, 'got', value, total
            call mpi_abort(MPI_COMM_WORLD, 1, code)
        end if
    end do
    call mpi_finalize(code)
end program
