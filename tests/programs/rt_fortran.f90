! Fortran: regions, loops, tasks and the API through module-less external names.
program rt_fortran
  implicit none
  integer, external :: omp_get_thread_num, omp_get_num_threads
  integer :: i, total, x, y
  integer(8) :: long_sum, k
  logical :: seen(0:3)
  integer, external :: omp_get_affinity_format, omp_capture_affinity
  character(len=20) :: text

  call omp_set_dynamic(.false.)
  seen = .false.
  !$omp parallel num_threads(4) shared(seen)
  seen(omp_get_thread_num()) = omp_get_num_threads() == 4
  !$omp end parallel
  if (.not. all(seen)) stop 1

  total = 0
  !$omp parallel do schedule(guided, 3) reduction(+:total) num_threads(3)
  do i = 1, 100
    total = total + i
  end do
  if (total /= 5050) stop 2

  long_sum = 0
  !$omp parallel do schedule(dynamic) reduction(+:long_sum) num_threads(3)
  do k = 9000000000_8, 9000000010_8, 5
    long_sum = long_sum + k - 9000000000_8
  end do
  if (long_sum /= 15) stop 3

  x = 0
  y = 0
  !$omp parallel num_threads(4)
  !$omp single
  !$omp task depend(out: x) shared(x)
  x = 20
  !$omp end task
  !$omp task depend(in: x) depend(out: y) shared(x, y)
  y = x + 1
  !$omp end task
  !$omp taskwait
  if (y /= 21) stop 4
  !$omp end single
  !$omp end parallel

  total = 0
  !$omp parallel do ordered num_threads(4) schedule(static, 1)
  do i = 1, 40
    !$omp ordered
    if (total /= i - 1) stop 5
    total = i
    !$omp end ordered
  end do

  total = 0
  !$omp parallel num_threads(4)
  !$omp workshare
  seen = .false.
  !$omp end workshare
  !$omp sections
  !$omp section
  !$omp critical
  total = total + 1
  !$omp end critical
  !$omp section
  !$omp critical
  total = total + 2
  !$omp end critical
  !$omp end sections
  !$omp end parallel
  if (total /= 3 .or. any(seen)) stop 6

  call omp_set_affinity_format(' %n  ')
  if (omp_get_affinity_format(text) /= 5) stop 7
  if (text /= ' %n') stop 8
  if (omp_capture_affinity(text, '%n  ') /= 3) stop 9
end program
