! Each of TAMPI's nonblocking calls in Fortran: what it brings, its statuses and its request, and that
! its task completes with the operation and not before. One rank comes late to each collective.
#include <TAMPIf.h>

module calls
  use mpi
  use omp_lib
  implicit none
  integer, parameter :: collectives = 17, width = 3, length = 80, most_ranks = 8
  integer, parameter :: standard = 1, buffered = 2, synchronous = 3, ready = 4
  integer, parameter :: small = 5, large = 100000
  integer :: rank, size, next, before, round = 0, pair
  ! These are by collective; `to` has -1 where nothing may be written.
  integer, dimension(length, collectives) :: from, to
  integer, dimension(0:most_ranks - 1, collectives) :: counts, offsets, from_counts, from_offsets, types, from_types
  integer, dimension(collectives) :: comms, roots, late, requests, done
  ! These are by mode and size.
  integer :: sent(large, 4, 2), received(large, 4, 2), found(MPI_STATUS_SIZE, 4, 2), sent_already(4, 2)
  external :: TAMPI_Irecv, TAMPI_Isend, TAMPI_Ibsend, TAMPI_Issend, TAMPI_Irsend, TAMPI_Ibarrier, TAMPI_Ibcast
  external :: TAMPI_Igather, TAMPI_Igatherv, TAMPI_Iscatter, TAMPI_Iscatterv, TAMPI_Iallgather, TAMPI_Iallgatherv
  external :: TAMPI_Ialltoall, TAMPI_Ialltoallv, TAMPI_Ialltoallw, TAMPI_Ireduce, TAMPI_Iallreduce
  external :: TAMPI_Ireduce_scatter, TAMPI_Ireduce_scatter_block, TAMPI_Iscan, TAMPI_Iexscan
  external :: TAMPI_Iwait, TAMPI_Iwaitall
contains
  subroutine fail(what, which)
    character(*), intent(in) :: what
    integer, intent(in) :: which
    print *, 'rank', rank, ': ', what, which, ' is wrong'
    call abort()
  end subroutine

  integer function value_of(source, target, i)
    integer, intent(in) :: source, target, i
    value_of = 10000 * round + 1000 * (source + 1) + 100 * target + i
  end function
  ! Pairs from one rank to another where these are not the same for all.
  integer function pairs_of(source, target)
    integer, intent(in) :: source, target
    pairs_of = 1 + mod(source + 2 * target + round, 3)
  end function
  integer function reduced(last, target, i)
    integer, intent(in) :: last, target, i
    integer :: source
    reduced = 0
    do source = 0, last
      reduced = ieor(reduced, value_of(source, target, i))
    end do
  end function

  ! Numbers of one sender and receiver, from place `at` (of C) on.
  subroutine fill(c, at, count, source, target)
    integer, intent(in) :: c, at, count, source, target
    integer :: i
    from(at + 1:at + count, c) = [(value_of(source, target, i), i = 1, count)]
  end subroutine
  subroutine expect(c, at, count, source, target)
    integer, intent(in) :: c, at, count, source, target
    integer :: i
    if (any(to(at + 1:at + count, c) /= [(value_of(source, target, i), i = 1, count)])) &
      call fail('what came by collective', c)
  end subroutine
  subroutine expect_reduced(c, count, last, target)
    integer, intent(in) :: c, count, last, target
    integer :: i
    if (any(to(1:count, c) /= [(reduced(last, target, i), i = 1, count)])) call fail('the result of collective', c)
  end subroutine
  subroutine expect_written(c, number)
    integer, intent(in) :: c, number
    if (count(to(:, c) /= -1) /= number) call fail('the extent of collective', c)
  end subroutine

  ! Blocks of pairs_of(), the last rank's first, with a pair between them; in units of so many integers.
  subroutine lay_out(numbers, at, unit, of_sender, target)
    integer, intent(out) :: numbers(0:), at(0:)
    integer, intent(in) :: unit, target
    logical, intent(in) :: of_sender
    integer :: i, place, pairs
    place = 0
    do i = size - 1, 0, -1
      pairs = pairs_of(i, target)
      if (of_sender) pairs = pairs_of(rank, i)
      numbers(i) = 2 * pairs / unit
      at(i) = place / unit
      place = place + 2 * (pairs + 1)
    end do
  end subroutine
  integer function all_pairs(target)
    integer, intent(in) :: target
    integer :: i
    all_pairs = sum([(pairs_of(i, target), i = 0, size - 1)])
  end function

  subroutine start(c)
    integer, intent(in) :: c
    integer :: i, at, ierr, comm, root
    comm = comms(c)
    root = roots(c)
    select case (c)
    case (1)
      call TAMPI_Ibarrier(comm, requests(c), ierr)
    case (2)
      if (rank == root) to(1:2 * width, c) = [(value_of(root, 0, i), i = 1, 2 * width)]
      call TAMPI_Ibcast(to(1, c), width, pair, root, comm, requests(c), ierr)
    case (3)
      call fill(c, 0, 2 * width, rank, 0)
      call TAMPI_Igather(from(1, c), width, pair, to(1, c), 2 * width, MPI_INTEGER, root, comm, requests(c), ierr)
    case (4)
      call lay_out(counts(:, c), offsets(:, c), 1, .false., root)
      call fill(c, 0, 2 * width, rank, root)
      call TAMPI_Igatherv(from(1, c), pairs_of(rank, root), pair, to(1, c), counts(0, c), offsets(0, c), &
                          MPI_INTEGER, root, comm, requests(c), ierr)
    case (5)
      do i = 0, size - 1
        call fill(c, 2 * width * i, 2 * width, rank, i)
      end do
      call TAMPI_Iscatter(from(1, c), 2 * width, MPI_INTEGER, to(1, c), width, pair, root, comm, requests(c), ierr)
    case (6)
      call lay_out(counts(:, c), offsets(:, c), 1, .true., 0)
      do i = 0, size - 1
        call fill(c, offsets(i, c), counts(i, c), rank, i)
      end do
      call TAMPI_Iscatterv(from(1, c), counts(0, c), offsets(0, c), MPI_INTEGER, to(1, c), pairs_of(root, rank), &
                           pair, root, comm, requests(c), ierr)
    case (7)
      call fill(c, 0, 2 * width, rank, 0)
      call TAMPI_Iallgather(from(1, c), 2 * width, MPI_INTEGER, to(1, c), width, pair, comm, requests(c), ierr)
    case (8)
      call lay_out(counts(:, c), offsets(:, c), 2, .false., 0)
      call fill(c, 0, 2 * width, rank, 0)
      call TAMPI_Iallgatherv(from(1, c), 2 * pairs_of(rank, 0), MPI_INTEGER, to(1, c), counts(0, c), offsets(0, c), &
                             pair, comm, requests(c), ierr)
    case (9)
      do i = 0, size - 1
        call fill(c, 2 * width * i, 2 * width, rank, i)
      end do
      call TAMPI_Ialltoall(from(1, c), 2 * width, MPI_INTEGER, to(1, c), width, pair, comm, requests(c), ierr)
    case (10)
      call lay_out(from_counts(:, c), from_offsets(:, c), 1, .true., 0)
      call lay_out(counts(:, c), offsets(:, c), 2, .false., rank)
      do i = 0, size - 1
        call fill(c, from_offsets(i, c), from_counts(i, c), rank, i)
      end do
      call TAMPI_Ialltoallv(from(1, c), from_counts(0, c), from_offsets(0, c), MPI_INTEGER, to(1, c), counts(0, c), &
                            offsets(0, c), pair, comm, requests(c), ierr)
    case (11)
      call lay_out(from_counts(:, c), from_offsets(:, c), 1, .true., 0)
      call lay_out(counts(:, c), offsets(:, c), 1, .false., rank)
      ! Pairs describe the data that is sent to even ranks and received from odd ones.
      do i = 0, size - 1
        call fill(c, from_offsets(i, c), from_counts(i, c), rank, i)
        from_types(i, c) = merge(MPI_INTEGER, pair, mod(i, 2) == 1)
        types(i, c) = merge(pair, MPI_INTEGER, mod(i, 2) == 1)
        from_counts(i, c) = from_counts(i, c) / merge(1, 2, mod(i, 2) == 1)
        counts(i, c) = counts(i, c) / merge(2, 1, mod(i, 2) == 1)
      end do
      from_offsets(:, c) = 4 * from_offsets(:, c)
      offsets(:, c) = 4 * offsets(:, c)
      call TAMPI_Ialltoallw(from(1, c), from_counts(0, c), from_offsets(0, c), from_types(0, c), to(1, c), counts(0, c), &
                            offsets(0, c), types(0, c), comm, requests(c), ierr)
    case (12)
      call fill(c, 0, width, rank, 0)
      call TAMPI_Ireduce(from(1, c), to(1, c), width, MPI_INTEGER, MPI_BXOR, root, comm, requests(c), ierr)
    case (13)
      call fill(c, 0, width, rank, 0)
      call TAMPI_Iallreduce(from(1, c), to(1, c), width, MPI_INTEGER, MPI_BXOR, comm, requests(c), ierr)
    case (14)
      at = 0
      do i = 0, size - 1
        counts(i, c) = pairs_of(0, i)
        call fill(c, at, counts(i, c), rank, i)
        at = at + counts(i, c)
      end do
      call TAMPI_Ireduce_scatter(from(1, c), to(1, c), counts(0, c), MPI_INTEGER, MPI_BXOR, comm, requests(c), ierr)
    case (15)
      do i = 0, size - 1
        call fill(c, width * i, width, rank, i)
      end do
      call TAMPI_Ireduce_scatter_block(from(1, c), to(1, c), width, MPI_INTEGER, MPI_BXOR, comm, requests(c), ierr)
    case (16)
      call fill(c, 0, width, rank, 0)
      call TAMPI_Iscan(from(1, c), to(1, c), width, MPI_INTEGER, MPI_BXOR, comm, requests(c), ierr)
    case default
      call fill(c, 0, width, rank, 0)
      call TAMPI_Iexscan(from(1, c), to(1, c), width, MPI_INTEGER, MPI_BXOR, comm, requests(c), ierr)
    end select
    if (ierr /= MPI_SUCCESS) call fail('ierr of collective', c)
    if (requests(c) /= MPI_REQUEST_NULL) call fail('the request of collective', c)
  end subroutine

  subroutine check(c)
    integer, intent(in) :: c
    integer :: i, root
    logical :: is_root
    root = roots(c)
    is_root = rank == root
    select case (c)
    case (1)
      call expect_written(c, 0)
    case (2)
      call expect(c, 0, 2 * width, root, 0)
      call expect_written(c, 2 * width)
    case (3, 4)
      do i = 0, size - 1
        if (is_root .and. c == 3) call expect(c, 2 * width * i, 2 * width, i, 0)
        if (is_root .and. c == 4) call expect(c, offsets(i, c), counts(i, c), i, rank)
      end do
      call expect_written(c, merge(merge(2 * width * size, 2 * all_pairs(rank), c == 3), 0, is_root))
    case (5)
      call expect(c, 0, 2 * width, root, rank)
      call expect_written(c, 2 * width)
    case (6)
      call expect(c, 0, 2 * pairs_of(root, rank), root, rank)
      call expect_written(c, 2 * pairs_of(root, rank))
    case (7, 9)
      do i = 0, size - 1
        call expect(c, 2 * width * i, 2 * width, i, merge(0, rank, c == 7))
      end do
      call expect_written(c, 2 * width * size)
    case (8, 10)
      do i = 0, size - 1
        call expect(c, 2 * offsets(i, c), 2 * counts(i, c), i, merge(0, rank, c == 8))
      end do
      call expect_written(c, 2 * all_pairs(merge(0, rank, c == 8)))
    case (11)
      do i = 0, size - 1
        call expect(c, offsets(i, c) / 4, 2 * pairs_of(i, rank), i, rank)
      end do
      call expect_written(c, 2 * all_pairs(rank))
    case (12)
      if (is_root) call expect_reduced(c, width, size - 1, 0)
      call expect_written(c, merge(width, 0, is_root))
    case (13)
      call expect_reduced(c, width, size - 1, 0)
      call expect_written(c, width)
    case (14)
      call expect_reduced(c, pairs_of(0, rank), size - 1, rank)
      call expect_written(c, pairs_of(0, rank))
    case (15)
      call expect_reduced(c, width, size - 1, rank)
      call expect_written(c, width)
    case (16)
      call expect_reduced(c, width, rank, 0)
      call expect_written(c, width)
    case default
      ! Rank 0's result is undefined.
      if (rank > 0) call expect_reduced(c, width, rank - 1, 0)
      if (rank > 0) call expect_written(c, width)
    end select
  end subroutine

  ! Whether this rank's operation needs that of the late one.
  logical function waits_for_late(c)
    integer, intent(in) :: c
    select case (c)
    case (2, 5, 6)
      waits_for_late = roots(c) == late(c)
    case (3, 4, 12)
      waits_for_late = rank == roots(c)
    case (16, 17)
      waits_for_late = rank > late(c)
    case default
      waits_for_late = .true.
    end select
    waits_for_late = waits_for_late .and. rank /= late(c)
  end function

  subroutine prepare()
    integer :: c
    round = round + 1
    from = -1
    to = -1
    done = 0
    do c = 1, collectives
      late(c) = mod(round + c, size)
      roots(c) = late(c)
      if (c == 3 .or. c == 4 .or. c == 12) roots(c) = mod(late(c) + 1, size)
    end do
  end subroutine

  ! A broken call can do now what it would do meanwhile.
  subroutine let_others_run(until, seconds)
    integer, intent(in) :: until
    double precision, intent(in) :: seconds
    double precision :: ends
    integer :: seen
    ends = omp_get_wtime() + seconds
    seen = 0
    do while (seen == 0 .and. omp_get_wtime() < ends)
      !$omp atomic read acquire
      seen = until
      !$omp taskyield
    end do
  end subroutine
  logical function is_set(flag)
    integer, intent(in) :: flag
    integer :: seen
    !$omp atomic read acquire
    seen = flag
    is_set = seen /= 0
  end function
  subroutine set(flag)
    integer, intent(inout) :: flag
    !$omp atomic write release
    flag = 1
  end subroutine

  ! All at once, each with its late rank.
  subroutine in_tasks()
    integer :: c, other, ierr
    call prepare()
    !$omp parallel
    !$omp single
    do c = 1, collectives
      !$omp task depend(out: to(1, c)) firstprivate(c) private(other, ierr)
      if (rank == late(c)) then
        do other = 0, size - 1
          if (other /= rank) call MPI_RECV(to, 0, MPI_INTEGER, other, c, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        end do
      end if
      call start(c)
      !$omp end task
      !$omp task depend(in: to(1, c)) firstprivate(c)
      call check(c)
      call set(done(c))
      !$omp end task
      !$omp task if(rank /= late(c)) firstprivate(c) private(ierr)
      if (rank /= late(c)) then
        if (waits_for_late(c)) then
          call let_others_run(done(c), 0.001d0)
          if (is_set(done(c))) call fail('the early end of collective', c)
        end if
        call MPI_SEND(to, 0, MPI_INTEGER, late(c), c, MPI_COMM_WORLD, ierr)
      end if
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
  end subroutine

  ! Outside tasks they are waited for.
  subroutine waited_for()
    integer :: c
    call prepare()
    do c = 1, collectives
      call start(c)
      call check(c)
    end do
  end subroutine

  integer function number_of(source, mode, s, i)
    integer, intent(in) :: source, mode, s, i
    number_of = 2000000 * source + 300000 * mode + 120000 * s + i + round
  end function
  integer function tag_of(mode, s)
    integer, intent(in) :: mode, s
    tag_of = 100 + 10 * mode + s + mod(round, 3)
  end function

  ! A ready send finds its receive, a buffered one completes before its receive is there, and a
  ! synchronous one does not.
  subroutine send(mode, s, count)
    integer, intent(in) :: mode, s, count
    integer :: i, tag, request, ierr
    tag = tag_of(mode, s)
    do i = 1, count
      sent(i, mode, s) = number_of(rank, mode, s, i)
    end do
    select case (mode)
    case (standard)
      call TAMPI_Isend(sent(1, mode, s), count, MPI_INTEGER, next, tag, MPI_COMM_WORLD, request, ierr)
    case (buffered)
      call TAMPI_Ibsend(sent(1, mode, s), count, MPI_INTEGER, next, tag, MPI_COMM_WORLD, request, ierr)
    case (synchronous)
      call TAMPI_Issend(sent(1, mode, s), count, MPI_INTEGER, next, tag, MPI_COMM_WORLD, request, ierr)
    case default
      call MPI_RECV(to, 0, MPI_INTEGER, next, 200 + tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call TAMPI_Irsend(sent(1, mode, s), count, MPI_INTEGER, next, tag, MPI_COMM_WORLD, request, ierr)
    end select
    if (ierr /= MPI_SUCCESS) call fail('ierr of mode', mode)
    if (request /= MPI_REQUEST_NULL) call fail('the request of mode', mode)
  end subroutine

  subroutine let_receive(mode, s)
    integer, intent(in) :: mode, s
    integer :: ierr
    if (mode == ready) return
    if (mode == synchronous) then
      call let_others_run(sent_already(mode, s), 0.001d0)
      if (is_set(sent_already(mode, s))) call fail('the early end of mode', mode)
    else if (mode == buffered) then
      call let_others_run(sent_already(mode, s), 30d0)
      if (.not. is_set(sent_already(mode, s))) call fail('the late end of mode', mode)
    end if
    call MPI_SEND(to, 0, MPI_INTEGER, next, 200 + tag_of(mode, s), MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine receive(mode, s, count)
    integer, intent(in) :: mode, s, count
    integer :: ierr, tag, request
    tag = tag_of(mode, s)
    received(1:count, mode, s) = -1
    if (mode /= ready) &
      call MPI_RECV(to, 0, MPI_INTEGER, before, 200 + tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call TAMPI_Irecv(received(1, mode, s), large, MPI_INTEGER, before, tag, MPI_COMM_WORLD, request, &
                     found(1, mode, s), ierr)
    if (ierr /= MPI_SUCCESS .or. request /= MPI_REQUEST_NULL) call fail('the receive of mode', mode)
    if (mode == ready) call MPI_SEND(to, 0, MPI_INTEGER, before, 200 + tag, MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine check_received(mode, s, count)
    integer, intent(in) :: mode, s, count
    integer :: i, number, ierr
    do i = 1, count
      if (received(i, mode, s) /= number_of(before, mode, s, i)) call fail('what came by mode', mode)
    end do
    if (found(MPI_SOURCE, mode, s) /= before) call fail('the source of mode', mode)
    if (found(MPI_TAG, mode, s) /= tag_of(mode, s)) call fail('the tag of mode', mode)
    call MPI_GET_COUNT(found(:, mode, s), MPI_INTEGER, number, ierr)
    if (number /= count) call fail('the count of mode', mode)
  end subroutine

  subroutine messages()
    integer :: buffer(2 * large + 1000), mode, s, count, ierr, bytes
    round = round + 1
    sent_already = 0
    call MPI_BUFFER_ATTACH(buffer, 8 * large + 4000, ierr)
    !$omp parallel
    !$omp single
    do s = 1, 2
      do mode = 1, 4
        count = merge(small, large, s == 1)
        !$omp task depend(out: sent(1, mode, s)) firstprivate(mode, s, count)
        call send(mode, s, count)
        !$omp end task
        !$omp task depend(in: sent(1, mode, s)) firstprivate(mode, s)
        call set(sent_already(mode, s))
        !$omp end task
        !$omp task firstprivate(mode, s)
        call let_receive(mode, s)
        !$omp end task
        !$omp task depend(out: received(1, mode, s)) firstprivate(mode, s, count)
        call receive(mode, s, count)
        !$omp end task
        !$omp task depend(in: received(1, mode, s)) firstprivate(mode, s, count)
        call check_received(mode, s, count)
        !$omp end task
      end do
    end do
    !$omp end single
    !$omp end parallel
    call MPI_BUFFER_DETACH(buffer, bytes, ierr)
  end subroutine

  ! Receives, sends and null requests in one list; half of the messages are sent when it has been given
  ! away.
  subroutine list(n)
    integer, intent(in) :: n
    integer :: in(3, n), out(n), owned(n), statuses(MPI_STATUS_SIZE, n), numbers(3), i, k, number, ierr
    round = round + 1
    in = -1
    !$omp parallel
    !$omp single
    !$omp task depend(out: in) shared(in, out, owned, statuses) private(i, ierr)
    owned = MPI_REQUEST_NULL
    do i = 1, n
      out(i) = 100 * rank + i + round
      if (mod(i, 4) == 1) then
        call MPI_ISEND(out(i), 1, MPI_INTEGER, next, 550 + i, MPI_COMM_WORLD, owned(i), ierr)
      else if (mod(i, 4) /= 3) then
        call MPI_IRECV(in(1, i), 3, MPI_INTEGER, before, 500 + n - i, MPI_COMM_WORLD, owned(i), ierr)
      end if
    end do
    call TAMPI_Iwaitall(n, owned, statuses, ierr)
    if (any(owned /= MPI_REQUEST_NULL)) call fail('a request of the list of', n)
    call MPI_SEND(out, 0, MPI_INTEGER, before, 900, MPI_COMM_WORLD, ierr)
    !$omp end task
    !$omp task depend(in: in) shared(in, statuses) private(i, k, number, ierr)
    do i = 1, n
      call MPI_GET_COUNT(statuses(:, i), MPI_INTEGER, number, ierr)
      if (mod(i, 4) == 3 .and. (statuses(MPI_SOURCE, i) /= MPI_ANY_SOURCE .or. number /= 0)) &
        call fail('the status of a null request', i)
      if (mod(i, 2) == 1) cycle
      if (statuses(MPI_SOURCE, i) /= before) call fail('the source of request', i)
      if (statuses(MPI_TAG, i) /= 500 + n - i) call fail('the tag of request', i)
      if (number /= 1 + mod(i, 3)) call fail('the count of request', i)
      do k = 1, number
        if (in(k, i) /= 1000 * before + 10 * i + k + round) call fail('what came by request', i)
      end do
    end do
    !$omp end task
    !$omp task private(i, k, numbers, ierr)
    do i = 1, n
      if (i == n / 2) &
        call MPI_RECV(numbers, 0, MPI_INTEGER, next, 900, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      numbers = [(1000 * rank + 10 * i + k + round, k = 1, 3)]
      if (mod(i, 2) == 0) &
        call MPI_SEND(numbers, 1 + mod(i, 3), MPI_INTEGER, next, 500 + n - i, MPI_COMM_WORLD, ierr)
    end do
    !$omp end task
    !$omp task private(i, number, ierr)
    do i = 1, n, 4
      call MPI_RECV(number, 1, MPI_INTEGER, before, 550 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      if (number /= 100 * before + i + round) call fail('what the list has sent', i)
    end do
    !$omp end task
    !$omp end single
    !$omp end parallel
  end subroutine

  subroutine expect_class(code, class)
    integer, intent(in) :: code, class
    integer :: of_code, ierr
    call MPI_ERROR_CLASS(code, of_code, ierr)
    if (of_code /= class) call fail('the class of error', code)
  end subroutine

  ! A call that cannot begin returns its error, and its task completes. If an operation fails later, its
  ! task completes, too, and its status has the error.
  subroutine errors()
    integer :: comm, in, out(3), request, completed, status(MPI_STATUS_SIZE), ierr
    call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
    call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierr)
    ! MPICH raises here what the test of a request finds.
    call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    out = rank
    completed = 0
    !$omp parallel
    !$omp single
    !$omp task depend(out: in) private(request, ierr) shared(in, out, status)
    call TAMPI_Irecv(in, 1, MPI_INTEGER, size, 1, comm, request, status, ierr)
    call expect_class(ierr, MPI_ERR_RANK)
    call TAMPI_Issend(out, 1, MPI_INTEGER, size, 1, comm, request, ierr)
    call expect_class(ierr, MPI_ERR_RANK)
    call TAMPI_Ibcast(out, 1, MPI_INTEGER, size, comm, request, ierr)
    call expect_class(ierr, MPI_ERR_ROOT)
    !$omp end task
    !$omp task depend(in: in) shared(completed)
    completed = 1
    !$omp end task
    !$omp end single
    !$omp end parallel
    if (completed /= 1) call fail('completion after error', 0)
    ! Open MPI does not always report what a process truncates of its own messages.
    if (next /= rank) then
      !$omp parallel
      !$omp single
      !$omp task depend(out: in) private(request, ierr) shared(in, status)
      call TAMPI_Irecv(in, 1, MPI_INTEGER, before, 2, comm, request, status, ierr)
      if (ierr /= MPI_SUCCESS) call fail('ierr of a receive', 2)
      !$omp end task
      !$omp task depend(in: in) shared(status)
      call expect_class(status(MPI_ERROR), MPI_ERR_TRUNCATE)
      if (status(MPI_TAG) /= 2) call fail('the tag of a truncated message', 2)
      !$omp end task
      !$omp task private(ierr) shared(out)
      call MPI_SEND(out, 3, MPI_INTEGER, next, 2, comm, ierr)
      !$omp end task
      !$omp end single
      !$omp end parallel
    end if
    call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr)
    call MPI_COMM_FREE(comm, ierr)
  end subroutine
end module

! Fortran's own addresses are known: in place, and from the bottom of memory.
subroutine places_mpi(comm)
  use calls
  implicit none
  integer, intent(in) :: comm
  integer :: total, all(0:size - 1), request(2), i, ierr
  integer, asynchronous :: here
  integer(MPI_ADDRESS_KIND) :: at(1)
  integer :: absolute
  !$omp parallel
  !$omp single
  !$omp task shared(total, all) private(request, ierr)
  total = rank + 1
  all = -1
  all(rank) = 10 * rank
  call TAMPI_Iallreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, comm, request(1), ierr)
  call TAMPI_Iallgather(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, comm, request(2), ierr)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (total /= size * (size + 1) / 2) call fail('what was reduced in place', 1)
  if (any(all /= [(10 * i, i = 0, size - 1)])) call fail('what was gathered in place', 1)
  here = merge(77, -1, rank == 0)
  call MPI_GET_ADDRESS(here, at(1), ierr)
  call MPI_TYPE_CREATE_HINDEXED(1, [1], at, MPI_INTEGER, absolute, ierr)
  call MPI_TYPE_COMMIT(absolute, ierr)
  !$omp parallel
  !$omp single
  !$omp task private(request, ierr)
  call TAMPI_Ibcast(MPI_BOTTOM, 1, absolute, 0, comm, request(1), ierr)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (here /= 77) call fail('what was sent to an address', 1)
  call MPI_TYPE_FREE(absolute, ierr)
end subroutine

subroutine places_f08(handle)
  use mpi_f08
  use calls, only: fail, rank, size
  implicit none
  integer, intent(in) :: handle
  type(MPI_Comm) :: comm
  type(MPI_Request) :: request(2)
  type(MPI_Datatype) :: absolute
  integer :: total, all(0:size - 1), i, ierr
  integer, asynchronous :: here
  integer(MPI_ADDRESS_KIND) :: at(1)
  external :: TAMPI_Iallreduce, TAMPI_Iallgather, TAMPI_Ibcast
  comm%MPI_VAL = handle
  !$omp parallel
  !$omp single
  !$omp task shared(total, all) private(request, ierr)
  total = rank + 1
  all = -1
  all(rank) = 10 * rank
  call TAMPI_Iallreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, comm, request(1), ierr)
  call TAMPI_Iallgather(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, comm, request(2), ierr)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (total /= size * (size + 1) / 2) call fail('what was reduced in place', 2)
  if (any(all /= [(10 * i, i = 0, size - 1)])) call fail('what was gathered in place', 2)
  here = merge(77, -1, rank == 0)
  call MPI_Get_address(here, at(1))
  call MPI_Type_create_hindexed(1, [1], at, MPI_INTEGER, absolute)
  call MPI_Type_commit(absolute)
  !$omp parallel
  !$omp single
  !$omp task private(request, ierr)
  call TAMPI_Ibcast(MPI_BOTTOM, 1, absolute, 0, comm, request(1), ierr)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (here /= 77) call fail('what was sent to an address', 2)
  call MPI_Type_free(absolute)
end subroutine

! Tasks that receive and send, with one thread and both ways at once, and complete with their requests.
subroutine exchanges_mpi(peer)
  use mpi
  use calls, only: fail, rank
  implicit none
  integer, intent(in) :: peer
  integer, parameter :: n = 200
  integer :: i, ierr, in(n), out(n), requests(2), statuses(MPI_STATUS_SIZE, n), checked
  external :: TAMPI_Irecv, TAMPI_Issend, TAMPI_Iwait
  checked = 0
  !$omp parallel
  !$omp single
  do i = 1, n
    !$omp task depend(out: in(i)) firstprivate(i) private(requests, ierr)
    out(i) = 10 * i + rank
    if (mod(i, 2) == 0) then
      call TAMPI_Irecv(in(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(1), statuses(:, i), ierr)
      call TAMPI_Issend(out(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(2), ierr)
    else
      call MPI_Irecv(in(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(1), ierr)
      call TAMPI_Iwait(requests(1), statuses(:, i), ierr)
      call MPI_Isend(out(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(2), ierr)
      call TAMPI_Iwait(requests(2), MPI_STATUS_IGNORE, ierr)
    end if
    if (ierr /= MPI_SUCCESS) call fail('ierr', i)
    if (any(requests /= MPI_REQUEST_NULL)) call fail('a request', i)
    !$omp end task
    !$omp task depend(in: in(i)) firstprivate(i)
    if (in(i) /= 10 * i + peer) call fail('what was received', i)
    if (statuses(MPI_TAG, i) /= i .or. statuses(MPI_SOURCE, i) /= peer) call fail('a status', i)
    !$omp atomic
    checked = checked + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  if (checked /= n) call fail('the number of tasks', checked)
end subroutine

subroutine exchanges_f08(peer)
  use mpi_f08
  use calls, only: fail, rank
  implicit none
  integer, intent(in) :: peer
  integer, parameter :: n = 200
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
    if (any(requests%MPI_VAL /= MPI_REQUEST_NULL%MPI_VAL)) call fail('a request of mpi_f08', i)
    !$omp end task
    !$omp task depend(in: in(i)) firstprivate(i)
    if (in(i) /= 7 * i + peer) call fail('what mpi_f08 received', i)
    if (mod(i, 2) == 0) then
      if (statuses(i)%MPI_TAG /= i .or. statuses(i)%MPI_SOURCE /= peer) call fail('a status of mpi_f08', i)
    end if
    !$omp atomic
    checked = checked + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  if (checked /= n) call fail('the number of tasks of mpi_f08', checked)
end subroutine

program tampi_calls_fortran
  use calls
  implicit none
  integer :: c, ierr, provided, repetition, repetitions, missing, turn, peer, flag
  character(12) :: number
  repetitions = 1
  call get_environment_variable('REPETITIONS', number, status=missing)
  if (missing == 0) read (number, *) repetitions
  call MPI_INIT_THREAD(MPI_TASK_MULTIPLE, provided, ierr)
  if (provided /= MPI_TASK_MULTIPLE) call fail('the thread level', provided)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  if (size > most_ranks) call fail('the number of ranks', size)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  peer = merge(ieor(rank, 1), rank, ieor(rank, 1) < size)
  call TAMPI_Property_get(TAMPI_PROPERTY_NONBLOCKING_MODE, flag, ierr)
  if (ierr /= MPI_SUCCESS .or. flag /= 1) call fail('the mode', flag)
  call TAMPI_Blocking_enabled(flag, ierr)
  if (ierr /= MPI_SUCCESS .or. flag /= 1) call fail('the other mode', flag)
  do c = 1, collectives
    call MPI_COMM_DUP(MPI_COMM_WORLD, comms(c), ierr)
  end do
  call MPI_TYPE_CONTIGUOUS(2, MPI_INTEGER, pair, ierr)
  call MPI_TYPE_COMMIT(pair, ierr)
  do repetition = 1, 2 * repetitions
    do turn = 1, size
      call in_tasks()
    end do
    call waited_for()
    call messages()
    call list(7)
    call list(24)
    call exchanges_mpi(peer)
    call exchanges_f08(peer)
    call places_mpi(comms(1))
    call places_f08(comms(1))
  end do
  call errors()
  call MPI_TYPE_FREE(pair, ierr)
  do c = 1, collectives
    call MPI_COMM_FREE(comms(c), ierr)
  end do
  call MPI_FINALIZE(ierr)
end program
