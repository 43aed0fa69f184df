! A blocking receive in a task: it suspends the task, and its thread runs the task that sends.
!
!     mpifort -fopenmp blocking_receive.f90 -o blocking_receive_fortran
!     OMP_NUM_THREADS=1 mpirun -n 2 loomp run ./blocking_receive_fortran
!
! Prints what rank 0 received. With one thread, this program hangs on other runtimes.
program blocking_receive
  use mpi_f08
  implicit none
  integer :: provided, rank, ranks, left, right, received = -1

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  left = modulo(rank - 1, ranks)
  right = modulo(rank + 1, ranks)

  !$omp parallel
  !$omp single
  !$omp task shared(received)
  call MPI_Recv(received, 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  !$omp end task
  !$omp task shared(rank)
  call MPI_Send(rank, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD)
  !$omp end task
  !$omp end single
  !$omp end parallel

  if (rank == 0 .or. received /= left) &
    print '(3(a, i0))', 'blocking_receive: rank ', rank, ' received ', received, ', expected ', left
  if (received /= left) error stop 1
  call MPI_Finalize()
end program
