! Calls of MPI in Fortran, for two ranks: messages ok|race. Rank 0 sends, rank 1 receives, and a task reduces.
program messages
    use mpi
    implicit none
    integer :: sent(64), got(64), total, seen, request, rank, error
    character(len=8) :: word
    logical :: race

    call get_command_argument(1, word)
    race = word == 'race'
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    sent = 1
    !$omp parallel num_threads(1)
    !$omp single
    if (rank == 0) then
        call MPI_Isend(sent, 64, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, request, error)
        if (race) sent(3) = 2
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        sent(3) = 3
    else
        call MPI_Irecv(got, 64, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, request, error)
        if (race) seen = got(3)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        seen = got(3)
    end if
    !$omp task depend(out: total) shared(total)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    !$omp end task
    if (race) then
        !$omp task shared(total, sent)
        sent(1) = total
        !$omp end task
    else
        !$omp task depend(in: total) shared(total, sent)
        sent(1) = total
        !$omp end task
    end if
    !$omp end single
    !$omp end parallel
    call MPI_Finalize(error)
    if (sent(1) /= 1 .and. .not. race) error stop
end program
