! Checks what Fortran programs ask of a runtime, gfortran's and flang's alike: regions, loops of
! every schedule, reductions, threadprivate data, tasks with dependences, locks and the omp_lib
! module. Prints results that do not depend on the number of threads. Usage: fortran_check
module shared_state
  implicit none
  integer :: mine = 0
  !$omp threadprivate(mine)
end module

program fortran_check
  use omp_lib
  use shared_state
  implicit none
  integer, parameter :: n = 200, tiles = 12
  real(8) :: before(0:n, 0:n), after(0:n, 0:n)
  integer(8) :: tile(0:tiles, 0:tiles), sum8
  integer :: i, j, step, count
  integer(omp_lock_kind) :: lock

  ! Heat flow: a region per sweep, every point from the sweep before.
  before = 0
  before(0, :) = 100
  after = before
  do step = 1, 20
    !$omp parallel do schedule(static) private(i)
    do j = 1, n - 1
      do i = 1, n - 1
        after(i, j) = 0.25d0 * (before(i - 1, j) + before(i + 1, j) + before(i, j - 1) + before(i, j + 1))
      end do
    end do
    !$omp end parallel do
    !$omp parallel workshare
    before = after
    !$omp end parallel workshare
  end do
  print '(a, f20.12)', 'heat      ', sum(before)

  sum8 = 0
  !$omp parallel reduction(+:sum8)
  !$omp do schedule(dynamic, 7)
  do i = 1, 10000
    sum8 = sum8 + i
  end do
  !$omp end do nowait
  !$omp do schedule(guided)
  do i = 1, 10000
    sum8 = sum8 + 2 * i
  end do
  !$omp end do
  !$omp do schedule(runtime)
  do i = 10000, 1, -3
    sum8 = sum8 + i
  end do
  !$omp end do
  !$omp end parallel
  print '(a, i20)', 'loops     ', sum8

  count = 0
  !$omp parallel do ordered schedule(dynamic)
  do i = 1, 100
    !$omp ordered
    if (count == i - 1) count = i
    !$omp end ordered
  end do
  !$omp end parallel do
  print '(a, i20)', 'ordered   ', count

  ! Every member starts from the master's copy and keeps its own.
  mine = 40
  count = 0
  !$omp parallel copyin(mine) num_threads(3)
  mine = mine + omp_get_thread_num()
  !$omp barrier
  if (mine == 40 + omp_get_thread_num()) then
    !$omp atomic
    count = count + 1
  end if
  !$omp end parallel
  print '(a, i20)', 'private   ', count - omp_get_thread_num()

  ! Barriers between, for each construct excludes its own kind only.
  call omp_init_lock(lock)
  count = 0
  !$omp parallel num_threads(4)
  call omp_set_lock(lock)
  count = count + 1
  call omp_unset_lock(lock)
  !$omp barrier
  !$omp critical
  count = count + 10
  !$omp end critical
  !$omp barrier
  !$omp single
  count = count + 100
  !$omp end single
  !$omp end parallel
  call omp_destroy_lock(lock)
  print '(a, i20)', 'exclusion ', count

  call wavefront()
  print '(a, i20)', 'wavefront ', sum(tile)
  sum8 = 0
  !$omp parallel
  !$omp single
  call fibonacci(18, sum8)
  !$omp end single
  !$omp end parallel
  print '(a, i20)', 'fibonacci ', sum8

contains

  ! A task a tile; each needs its neighbours above and to the left.
  subroutine wavefront()
    integer :: row, column
    tile = 1
    !$omp parallel
    !$omp single
    do row = 1, tiles
      do column = 1, tiles
        call advance(tile(row - 1, column), tile(row, column - 1), tile(row, column))
      end do
    end do
    !$omp end single
    !$omp end parallel
  end subroutine

  ! (flang 19 takes whole variables in depend clauses only.)
  subroutine advance(above, left, own)
    integer(8) :: above, left, own
    !$omp task shared(above, left, own) depend(in: above, left) depend(out: own)
    own = mod(above + 3 * left, 10007_8)
    !$omp end task
  end subroutine

  recursive subroutine fibonacci(number, value)
    integer, intent(in) :: number
    integer(8), intent(out) :: value
    integer(8) :: left, right
    if (number < 2) then
      value = number
      return
    end if
    !$omp task shared(left) if(number > 8)
    call fibonacci(number - 1, left)
    !$omp end task
    !$omp task shared(right) if(number > 8)
    call fibonacci(number - 2, right)
    !$omp end task
    !$omp taskwait
    value = left + right
  end subroutine
end program
