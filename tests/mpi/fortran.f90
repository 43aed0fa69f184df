! Blocking calls in tasks through mpif.h's names and through mpi_f08: what one task waits for comes
! from a later one, with one thread.
module counted
  implicit none
  integer, parameter :: n = 200
  integer :: rank, size, peer
contains
  subroutine fail(what)
    character(*), intent(in) :: what
    print *, 'rank', rank, ': ', what, ' is wrong'
    call abort()
  end subroutine
end module

subroutine by_mpif()
  use mpi
  use counted
  implicit none
  integer :: i, ierr, got(n), value, status(MPI_STATUS_SIZE), request, total
  !$omp parallel
  !$omp single
  do i = 1, n
    !$omp task firstprivate(i) private(ierr, status, request)
    if (mod(i, 2) == 0) then
      call MPI_RECV(got(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, status, ierr)
      if (status(MPI_TAG) /= i .or. status(MPI_SOURCE) /= peer) call fail('the status of MPI_RECV')
    else
      call MPI_IRECV(got(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, request, ierr)
      call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
      if (request /= MPI_REQUEST_NULL) call fail('the request of MPI_WAIT')
    end if
    if (ierr /= MPI_SUCCESS) call fail('ierr')
    !$omp end task
  end do
  do i = n, 1, -1
    !$omp task firstprivate(i) private(value, ierr)
    value = 10 * i + rank
    call MPI_SEND(value, 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, ierr)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  do i = 1, n
    if (got(i) /= 10 * i + peer) call fail('what was received')
  end do
  !$omp parallel
  !$omp single
  !$omp task private(ierr)
  call MPI_ALLREDUCE(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_BARRIER(MPI_COMM_WORLD, ierr)
  call MPI_ALLREDUCE(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (total /= size * (size - 1) / 2) call fail('the sum')
end subroutine

subroutine by_f08()
  use mpi_f08
  use counted
  implicit none
  integer :: i, got(n), value
  type(MPI_Status) :: status
  type(MPI_Request) :: requests(2)
  !$omp parallel
  !$omp single
  do i = 1, n
    !$omp task firstprivate(i) private(status)
    call MPI_Recv(got(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, status)
    if (status%MPI_TAG /= i .or. status%MPI_SOURCE /= peer) call fail('the status of MPI_Recv')
    !$omp end task
  end do
  do i = n, 1, -1
    !$omp task firstprivate(i) private(value)
    value = 10 * i + rank
    call MPI_Send(value, 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  do i = 1, n
    if (got(i) /= 10 * i + peer) call fail('what was received by mpi_f08')
  end do
  !$omp parallel
  !$omp single
  !$omp task private(requests, value)
  call MPI_Irecv(got(1), 1, MPI_INTEGER, peer, 1, MPI_COMM_WORLD, requests(1))
  value = -rank
  call MPI_Isend(value, 1, MPI_INTEGER, peer, 1, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (got(1) /= -peer) call fail('what MPI_Waitall waited for')
end subroutine

program fortran
  use mpi
  use counted
  implicit none
  integer :: ierr
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  peer = ieor(rank, 1)
  if (peer >= size) peer = rank
  call by_mpif()
  call by_f08()
  call MPI_FINALIZE(ierr)
end program
