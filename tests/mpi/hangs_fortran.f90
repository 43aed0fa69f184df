! Hangs in the way that its argument names, on three ranks: each has one culprit. The bindings are
! the macro's: mpi_f08, mpi, or mpif.h if it is 0. usage: hangs_fortran
! tag|missing|cycle|event|lock|collective|order|killed|outside
program hangs
#if BINDINGS == 8
  use mpi_f08
#elif BINDINGS == 9
  use mpi
#endif
  use omp_lib
  implicit none
#if BINDINGS == 0
  include 'mpif.h'
#endif
  interface
    integer(c_int) function raise(signal) bind(c)
      use iso_c_binding, only: c_int
      integer(c_int), value :: signal
    end function
    integer(c_int) function sleep(seconds) bind(c)
      use iso_c_binding, only: c_int
      integer(c_int), value :: seconds
    end function
  end interface
#if BINDINGS == 8
  type(MPI_Comm) :: twin
  type(MPI_Request) :: request
  type(MPI_Status) :: status
#else
  integer :: twin, request, status(MPI_STATUS_SIZE)
#endif
  integer :: rank, level, ierror, step, ready, value
  integer(omp_event_handle_kind) :: event
  integer(omp_lock_kind) :: lock
  character(16) :: kind

  call get_command_argument(1, kind)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, level, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierror)
  call MPI_Comm_set_name(twin, 'twin', ierror)
  call omp_init_lock(lock)
  if (kind == 'outside' .and. rank == 1) call receive(2, 7)
  !$omp parallel
  !$omp single
  select case (kind)
  case ('tag')
    if (rank == 0) then
      !$omp task
      call receive(1, 7)
      !$omp end task
    else if (rank == 1) then
      !$omp task
      call MPI_Ssend(ready, 1, MPI_INTEGER, 0, 9999, MPI_COMM_WORLD, ierror) ! sends
      !$omp end task
    end if
  case ('missing', 'outside')
    if (rank == 0) then
      !$omp task
      call receive(1, 7)
      !$omp end task
    end if
  case ('cycle')
    if (rank == 0) then
      !$omp task
      call receive(1, 7)
      !$omp end task
    else
      !$omp task
      call MPI_Irecv(value, 1, MPI_INTEGER, mod(rank + 1, 3), 7, MPI_COMM_WORLD, request, ierror)
      call MPI_Wait(request, status, ierror) ! waits
      !$omp end task
    end if
  case ('event')
    if (rank == 1) then
      !$omp task detach(event) depend(out: ready)
      ready = 1
      !$omp end task
      !$omp task depend(in: ready)
      call MPI_Send(ready, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, ierror)
      !$omp end task
    else
      !$omp task
      call receive(1, 7)
      !$omp end task
    end if
  case ('lock')
    if (rank == 0) then
      call omp_set_lock(lock)
      !$omp task
      call omp_set_lock(lock) ! locks
      !$omp end task
    else
      !$omp task
      call receive(0, 7)
      !$omp end task
    end if
  case ('collective')
    if (rank == 0) then
      !$omp task
      call MPI_Barrier(twin, ierror) ! barrier
      !$omp end task
    else
      !$omp task
      call MPI_Bcast(ready, 1, MPI_INTEGER, 0, twin, ierror) ! bcast
      !$omp end task
    end if
  case ('order')
    do step = 1, 3
      if (rank == 0) then
        !$omp task
        call receive(1, 7)
        !$omp end task
      end if
    end do
    if (rank == 1) then
      !$omp task
      call receive(0, 8)
      !$omp end task
    end if
  case ('killed')
    if (rank == 0) then
      ierror = sleep(2)
      ierror = raise(9)
    end if
    !$omp task
    call receive(0, 7)
    !$omp end task
  end select
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierror)

contains
  subroutine receive(from, tag)
    integer, intent(in) :: from, tag
    call MPI_Recv(value, 1, MPI_INTEGER, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! receives
  end subroutine
end program
