! TAMPI's names in Fortran, by `use mpi` and by `use mpi_f08`: tasks that complete with their
! requests, with one thread and both ways at once.
#include <TAMPIf.h>

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

subroutine by_mpi()
  use mpi
  use counted
  implicit none
  integer :: i, ierr, in(n), out(n), requests(2), statuses(MPI_STATUS_SIZE, n), checked
  external :: TAMPI_Irecv, TAMPI_Issend, TAMPI_Iwait, TAMPI_Iwaitall, TAMPI_Iallreduce
  integer :: mine, total
  checked = 0
  !$omp parallel
  !$omp single
  do i = 1, n
    !$omp task depend(out: in(i)) firstprivate(i) private(requests, ierr)
    out(i) = 10 * i + rank
    select case (mod(i, 3))
    case (0)
      call TAMPI_Irecv(in(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(1), statuses(:, i), ierr)
      call TAMPI_Issend(out(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(2), ierr)
    case (1)
      call MPI_Irecv(in(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(1), ierr)
      call TAMPI_Iwait(requests(1), statuses(:, i), ierr)
      call MPI_Isend(out(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(2), ierr)
      call TAMPI_Iwait(requests(2), MPI_STATUS_IGNORE, ierr)
    case default
      call MPI_Irecv(in(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Isend(out(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(2), ierr)
      call TAMPI_Iwaitall(2, requests, MPI_STATUSES_IGNORE, ierr)
      statuses(MPI_TAG, i) = i
      statuses(MPI_SOURCE, i) = peer
    end select
    if (ierr /= MPI_SUCCESS) call fail('ierr')
    if (any(requests /= MPI_REQUEST_NULL)) call fail('a request')
    !$omp end task
    !$omp task depend(in: in(i)) firstprivate(i)
    if (in(i) /= 10 * i + peer) call fail('what was received')
    if (statuses(MPI_TAG, i) /= i .or. statuses(MPI_SOURCE, i) /= peer) call fail('a status')
    !$omp atomic
    checked = checked + 1
    !$omp end task
  end do
  mine = rank
  !$omp task depend(out: total) private(ierr, requests)
  call TAMPI_Iallreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), ierr)
  !$omp end task
  !$omp task depend(in: total)
  if (total /= size * (size - 1) / 2) call fail('the sum')
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (checked /= n) call fail('the number of tasks')
end subroutine

subroutine by_f08()
  use mpi_f08
  use counted
  implicit none
  integer :: i, ierr, in(n), out(n), checked
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: statuses(n)
  external :: TAMPI_Iwait, TAMPI_Iwaitall
  checked = 0
  !$omp parallel
  !$omp single
  do i = 1, n
    !$omp task depend(out: in(i)) firstprivate(i) private(requests, ierr)
    out(i) = 7 * i + rank
    call MPI_Irecv(in(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Isend(out(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(2), ierr)
    if (mod(i, 2) == 0) then
      call TAMPI_Iwait(requests(1), statuses(i), ierr)
      call TAMPI_Iwait(requests(2), MPI_STATUS_IGNORE, ierr)
    else
      call TAMPI_Iwaitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    end if
    if (any(requests%MPI_VAL /= MPI_REQUEST_NULL%MPI_VAL)) call fail('a request of mpi_f08')
    !$omp end task
    !$omp task depend(in: in(i)) firstprivate(i)
    if (in(i) /= 7 * i + peer) call fail('what mpi_f08 received')
    if (mod(i, 2) == 0) then
      if (statuses(i)%MPI_TAG /= i .or. statuses(i)%MPI_SOURCE /= peer) call fail('a status of mpi_f08')
    end if
    !$omp atomic
    checked = checked + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  if (checked /= n) call fail('the number of tasks of mpi_f08')
end subroutine

program tampi_fortran
  use mpi
  use counted
  implicit none
  integer :: ierr, provided, flag
  call MPI_Init_thread(MPI_TASK_MULTIPLE, provided, ierr)
  if (provided /= MPI_TASK_MULTIPLE) call fail('the thread level')
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  peer = ieor(rank, 1)
  if (peer >= size) peer = rank
  call TAMPI_Property_get(TAMPI_PROPERTY_NONBLOCKING_MODE, flag, ierr)
  if (ierr /= MPI_SUCCESS .or. flag /= 1) call fail('the mode')
  call TAMPI_Blocking_enabled(flag, ierr)
  if (ierr /= MPI_SUCCESS .or. flag /= 1) call fail('the other mode')
  call by_mpi()
  call by_f08()
  call MPI_Finalize(ierr)
end program
