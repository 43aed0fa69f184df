! A 1-D stencil on a ring of ranks: a task for each block and step, and two that exchange halos.
!
!     mpifort -fopenmp halo.f90 -o halo_fortran
!     mpirun -n 2 loomp run ./halo_fortran
!
! Prints the largest difference from the exact solution. No barrier separates the steps.
program halo
  use mpi_f08
  implicit none
  integer, parameter :: real64 = kind(1d0), leftwards = 0, rightwards = 1
  integer, parameter :: blocks = 8, length = 64, cells = blocks * length, steps = 200
  ! Values and blocks of even and odd steps; the first and the last ones are the halo.
  real(real64) :: u(0:cells+1, 0:1)
  integer :: block(0:blocks+1, 0:1) ! for depend clauses only
  real(real64) :: wave, error
  integer :: provided, rank, ranks, left, right, step, from, to, b, i

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  left = modulo(rank - 1, ranks)
  right = modulo(rank + 1, ranks)
  wave = 2 * acos(-1d0) / (cells * ranks)
  u(1:cells, 0) = [(cos(wave * (rank * cells + i)), i = 1, cells)]

  !$omp parallel
  !$omp single private(step, from, to, b)
  do step = 0, steps - 1
    from = modulo(step, 2)
    to = 1 - from
    !$omp task firstprivate(from) depend(in: block(1, from)) depend(out: block(0, from))
    call exchange(u(1, from), leftwards, u(0, from), rightwards, left)
    !$omp end task
    !$omp task firstprivate(from) depend(in: block(blocks, from)) depend(out: block(blocks+1, from))
    call exchange(u(cells, from), rightwards, u(cells+1, from), leftwards, right)
    !$omp end task
    do b = 1, blocks
      !$omp task firstprivate(b, from, to) private(i) depend(out: block(b, to)) &
      !$omp& depend(in: block(b-1, from), block(b, from), block(b+1, from))
      do i = (b - 1) * length + 1, b * length
        u(i, to) = (u(i-1, from) + u(i+1, from)) / 2
      end do
      !$omp end task
    end do
  end do
  !$omp end single
  !$omp end parallel

  error = maxval(abs(u(1:cells, modulo(steps, 2)) - &
    [(cos(wave)**steps * cos(wave * (rank * cells + i)), i = 1, cells)]))
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print '(2(a, i0), a, es7.1)', &
    'halo: ', steps, ' steps on ', ranks, ' ranks, largest error ', error
  if (error > 1d-10) error stop 1
  call MPI_Finalize()

contains

  subroutine exchange(sent, sent_tag, received, received_tag, neighbour)
    real(real64), intent(in) :: sent
    real(real64), intent(out) :: received
    integer, intent(in) :: sent_tag, received_tag, neighbour
    call MPI_Sendrecv(sent, 1, MPI_DOUBLE_PRECISION, neighbour, sent_tag, received, 1, &
      MPI_DOUBLE_PRECISION, neighbour, received_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine
end program
