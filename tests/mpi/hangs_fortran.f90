! Two ranks wait for each other in tasks, by a receive and by the wait for one. The bindings are the
! macro's: mpi_f08, mpi, or mpif.h if it is 0.
program hangs
#if BINDINGS == 8
  use mpi_f08
#elif BINDINGS == 9
  use mpi
#endif
  implicit none
#if BINDINGS == 0
  include 'mpif.h'
#endif
  integer :: rank, level, ierror, value
#if BINDINGS == 8
  type(MPI_Request) :: request
  type(MPI_Status) :: status
#else
  integer :: request, status(MPI_STATUS_SIZE)
#endif

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, level, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  !$omp parallel
  !$omp single
  if (rank == 0) then
    !$omp task
    call MPI_Recv(value, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! receives
    !$omp end task
  else
    !$omp task
    call MPI_Irecv(value, 1, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, request, ierror)
    call MPI_Wait(request, status, ierror) ! waits
    !$omp end task
  end if
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
