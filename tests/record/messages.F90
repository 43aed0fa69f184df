! Sends as many messages as messages.c has, of the same kinds, by Fortran's bindings: `use mpi`, or
! with F08 `use mpi_f08`.
#ifdef F08
#define BINDINGS mpi_f08
#define COMMUNICATOR type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define MESSAGE type(MPI_Message)
#else
#define BINDINGS mpi
#define COMMUNICATOR integer
#define REQUEST integer
#define MESSAGE integer
#endif

module rounds
  use BINDINGS
  implicit none
  integer, parameter :: count = 20, tag = 100
contains
  subroutine in_tasks(round, rank, total)
    integer, intent(in) :: round, rank
    integer, intent(inout) :: total
    integer :: other, sent, got, also, ierr
    other = 1 - rank
    sent = round
    got = -1
    also = -1
    !$omp parallel
    !$omp single
    !$omp task shared(got) private(ierr)
    call MPI_Recv(got, 1, MPI_INTEGER, other, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    !$omp end task
    !$omp task shared(also) private(ierr)
    call MPI_Recv(also, 1, MPI_INTEGER, other, tag + round, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    !$omp end task
    !$omp task shared(sent) private(ierr)
    call MPI_Send(sent, 1, MPI_INTEGER, other, round, MPI_COMM_WORLD, ierr)
    call MPI_Ssend(sent, 1, MPI_INTEGER, other, tag + round, MPI_COMM_WORLD, ierr)
    !$omp end task
    !$omp taskwait
    !$omp end single
    !$omp end parallel
    if (got == round .and. also == round) total = total + 1
  end subroutine

  subroutine outside(round, rank, persistent, total)
    integer, intent(in) :: round, rank
    REQUEST, intent(inout) :: persistent(2)
    integer, intent(inout) :: total
    integer :: other, sent, got(3), ierr
    REQUEST :: requests(2)
    MESSAGE :: matched
    logical :: done
    other = 1 - rank
    sent = round
    got = -1
    call MPI_Irecv(got(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Isend(sent, 1, MPI_INTEGER, other, round, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call MPI_Startall(2, persistent, ierr)
    call MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE, ierr)
    call MPI_Sendrecv(sent, 1, MPI_INTEGER, other, round, got(2), 1, MPI_INTEGER, other, round, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Isend(sent, 1, MPI_INTEGER, other, round, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Mprobe(other, round, MPI_COMM_WORLD, matched, MPI_STATUS_IGNORE, ierr)
    call MPI_Mrecv(got(3), 1, MPI_INTEGER, matched, MPI_STATUS_IGNORE, ierr)
    done = .false.
    do while (.not. done)
      call MPI_Test(requests(2), done, MPI_STATUS_IGNORE, ierr)
    end do
    if (all(got == round)) total = total + 1
  end subroutine
end module

program messages
  use rounds
  implicit none
  integer :: provided, rank, ierr, round, total, sum, sent, got
  COMMUNICATOR :: comm
  REQUEST :: persistent(2), barrier
  total = 0
  sum = 0
  sent = 7
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Send_init(sent, 1, MPI_INTEGER, 1 - rank, 0, comm, persistent(1), ierr)
  call MPI_Recv_init(got, 1, MPI_INTEGER, 1 - rank, MPI_ANY_TAG, comm, persistent(2), ierr)
  do round = 1, count
    call in_tasks(round, rank, total)
    call outside(round, rank, persistent, total)
    call MPI_Allreduce(total, sum, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    call MPI_Ibarrier(comm, barrier, ierr)
    call MPI_Wait(barrier, MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_Request_free(persistent(1), ierr)
  call MPI_Request_free(persistent(2), ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Finalize(ierr)
  if (sum /= 4 * count) stop 1
end program
