! Two ranks, one thread each: two tasks send and two receive with one tag, and nothing orders them.
! Then the tags differ, and both ranks are killed while a task of each waits. BINDINGS: mpi_f08 (8),
! mpi (9), or mpif.h (0).
program hung
#if BINDINGS == 8
  use mpi_f08
#elif BINDINGS == 9
  use mpi
#endif
  implicit none
#if BINDINGS == 0
  include 'mpif.h'
#endif
  interface
    integer(c_int) function raise(signal) bind(c)
      use iso_c_binding, only: c_int
      integer(c_int), value :: signal
    end function
  end interface
  integer :: rank, level, ierror, step, values(2)
  logical, volatile :: waits = .false.

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, level, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  !$omp parallel num_threads(1)
  do step = 1, 2
    !$omp task firstprivate(step)
    call talk(step, 7)
    !$omp end task
  end do
  !$omp taskwait
  !$omp task
  waits = .true.
  call talk(1, merge(9999, 7, rank == 0))
  !$omp end task
  do while (.not. waits) ! the creator continues when the task waits
    !$omp taskyield
  end do
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  ierror = raise(9)
  !$omp end parallel

contains
  subroutine talk(step, tag)
    integer, intent(in) :: step, tag
    if (rank == 0) then
      call MPI_Ssend(values(step), 1, MPI_INTEGER, 1, tag, MPI_COMM_WORLD, ierror)
    else
      call MPI_Recv(values(step), 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end if
  end subroutine
end program
