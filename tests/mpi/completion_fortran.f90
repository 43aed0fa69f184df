! MPI_WAIT, MPI_TEST and their kin in Fortran, by `use mpi` and by `use mpi_f08`: flags, indices that
! count from 1, numbers of completed requests, and which status belongs to which request. Outside
! regions and in several tasks at once.
!
! This file includes itself, once for each module.
#ifndef MODULE
module counted
  implicit none
  integer, parameter :: n = 12, entries = 17, places = 3
  integer, parameter :: test = 1, testany = 2, testsome = 3, testall = 4
  integer, parameter :: wait = 5, waitany = 6, waitsome = 7, waitall = 8, ways = 8
  integer :: rank, size, next, before
  integer :: several_tested = 0, several_waited = 0
  ! Its routines for mpif.h and `use mpi` add 1 to MPI_UNDEFINED, too (4.0).
  logical :: is_mpich
  ! Its MPI_Testany and MPI_Testsome for mpi_f08, which the layer leaves alone, count from 0 (4.0).
  integer :: missing_in_f08 = 0
contains
  subroutine fail(what, way)
    character(*), intent(in) :: what
    integer, intent(in) :: way
    print *, 'rank', rank, ', way', way, ': ', what, ' is wrong'
    call abort()
  end subroutine
  ! The place of message i in the list; the other places are null requests.
  integer function place_of(i)
    integer, intent(in) :: i
    place_of = mod(7 * i, entries) + 1
  end function
  integer function message_at(place)
    integer, intent(in) :: place
    do message_at = 1, n
      if (place_of(message_at) == place) return
    end do
    message_at = 0
  end function
  integer function tag_of(i)
    integer, intent(in) :: i
    tag_of = 100 + mod(5 * i, n)
  end function
  integer function length_of(i)
    integer, intent(in) :: i
    length_of = 1 + mod(i, 3)
  end function
  integer function value_of(source, round, i, k)
    integer, intent(in) :: source, round, i, k
    value_of = 100000 * source + 1000 * round + 10 * i + k
  end function
end module

#define MODULE mpi
#define LISTS lists_mpi
#define ADDS_ONE is_mpich
#define MISSING 0
#define EVERYWHERE everywhere_mpi
#define REQUEST integer
#define COMM integer
#define STATUSES integer, dimension(MPI_STATUS_SIZE, entries)
#define STATUS_AT(i) found(:, i)
#define FIELD(name, i) found(name, i)
#include "completion_fortran.f90"
#undef MODULE
#undef LISTS
#undef ADDS_ONE
#undef MISSING
#undef EVERYWHERE
#undef REQUEST
#undef COMM
#undef STATUSES
#undef STATUS_AT
#undef FIELD

#define MODULE mpi_f08
#define LISTS lists_f08
#define ADDS_ONE .false.
#define MISSING missing_in_f08
#define EVERYWHERE everywhere_f08
#define REQUEST type(MPI_Request)
#define COMM type(MPI_Comm)
#define STATUSES type(MPI_Status), dimension(entries)
#define STATUS_AT(i) found(i)
#define FIELD(name, i) found(i)%name
#include "completion_fortran.f90"

subroutine look_at_f08()
  use mpi_f08
  use counted
  implicit none
  type(MPI_Request) :: requests(1)
  integer :: at
  logical :: flag
  flag = .false.
  call MPI_Isend(at, 0, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, requests(1))
  do while (.not. flag)
    call MPI_Testany(1, requests, at, flag, MPI_STATUS_IGNORE)
  end do
  if (is_mpich) missing_in_f08 = 1 - at
end subroutine

program completion_fortran
  use mpi
  use counted
  implicit none
  integer :: ierr, careful, repetition, repetitions, missing, length
  character(12) :: number
  character(MPI_MAX_LIBRARY_VERSION_STRING) :: version
  repetitions = 1
  call get_environment_variable('REPETITIONS', number, status=missing)
  if (missing == 0) read (number, *) repetitions
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  call MPI_GET_LIBRARY_VERSION(version, length, ierr)
  is_mpich = index(version, 'MPICH') == 1
  call look_at_f08()
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  do repetition = 1, repetitions
    call everywhere_mpi()
    call everywhere_f08()
  end do
  ! Each request is tested alone from now on.
  call MPI_COMM_DUP(MPI_COMM_WORLD, careful, ierr)
  call MPI_COMM_SET_ERRHANDLER(careful, MPI_ERRORS_RETURN, ierr)
  call everywhere_mpi()
  call everywhere_f08()
  call MPI_COMM_FREE(careful, ierr)
  call MPI_FINALIZE(ierr)
end program

#else

subroutine LISTS(comm)
  use MODULE
  use counted
  implicit none
  COMM, intent(in) :: comm
  REQUEST :: requests(entries)
  STATUSES :: found
  integer :: in(3, n), indices(entries), round, way, left, i, at, completed, ierr
  logical :: flag, late, wanted, done(n)
  do round = 1, 4 * ways
    way = mod(round - 1, ways) + 1
    wanted = (round - 1) / ways < 2
    ! A later task sends, so that the messages are missing at first.
    late = mod((round - 1) / ways, 2) == 1 .and. way >= wait
    in = -1
    done = .false.
    requests = MPI_REQUEST_NULL
    call check_inactive()
    do i = 1, n
      call MPI_IRECV(in(1, i), 3, MPI_INTEGER, before, tag_of(i), comm, requests(place_of(i)), ierr)
    end do
    call check_incomplete()
    call MPI_BARRIER(comm, ierr)
    !$omp task if(late) firstprivate(round)
    call send_all(round)
    !$omp end task
    if (.not. late) call MPI_BARRIER(comm, ierr)
    left = n
    do while (left > 0)
      call complete_some()
      if (way < wait) then
        !$omp taskyield
      end if
    end do
    !$omp taskwait
    if (.not. all(done)) call fail('what is complete', way)
    call check_inactive()
  end do
contains
  subroutine send_all(of_round)
    integer, intent(in) :: of_round
    integer :: out(3), m, k, error
    do m = n, 1, -1
      out = [(value_of(rank, of_round, m, k), k = 1, 3)]
      call MPI_SEND(out, length_of(m), MPI_INTEGER, next, tag_of(m), comm, error)
      if (error /= MPI_SUCCESS) call fail('a send', way)
    end do
  end subroutine

  ! `slot`: where its status is.
  subroutine check_complete(place, slot)
    integer, intent(in) :: place, slot
    integer :: m, k, length
    if (place < 1 .or. place > entries) call fail('an index', way)
    m = message_at(place)
    if (m == 0) call fail('the index of a null request', way)
    if (done(m)) call fail('a second completion', way)
    done(m) = .true.
    left = left - 1
    if (requests(place) /= MPI_REQUEST_NULL) call fail('a complete request', way)
    do k = 1, 3
      if (k <= length_of(m) .and. in(k, m) /= value_of(before, round, m, k)) call fail('what came', way)
      if (k > length_of(m) .and. in(k, m) /= -1) call fail('what did not come', way)
    end do
    if (.not. wanted) return
    if (FIELD(MPI_SOURCE, slot) /= before) call fail('the source of a status', way)
    if (FIELD(MPI_TAG, slot) /= tag_of(m)) call fail('the tag of a status', way)
    call MPI_GET_COUNT(STATUS_AT(slot), MPI_INTEGER, length, ierr)
    if (length /= length_of(m)) call fail('the length of a status', way)
  end subroutine

  subroutine check_empty(slot)
    integer, intent(in) :: slot
    integer :: length
    call MPI_GET_COUNT(STATUS_AT(slot), MPI_INTEGER, length, ierr)
    if (FIELD(MPI_SOURCE, slot) /= MPI_ANY_SOURCE .or. FIELD(MPI_TAG, slot) /= MPI_ANY_TAG .or. length /= 0) &
      call fail('the status of a null request', way)
  end subroutine

  subroutine complete_some()
    integer :: place, k
    logical :: each
    each = way == test .or. way == wait
    flag = .true.
    ! Those that find one have its index and its status in the first places.
    if (each) then
      do place = 1, entries
        if (wanted) then
          if (way == test) call MPI_TEST(requests(place), flag, STATUS_AT(place), ierr)
          if (way == wait) call MPI_WAIT(requests(place), STATUS_AT(place), ierr)
        else
          if (way == test) call MPI_TEST(requests(place), flag, MPI_STATUS_IGNORE, ierr)
          if (way == wait) call MPI_WAIT(requests(place), MPI_STATUS_IGNORE, ierr)
        end if
        if (message_at(place) == 0) then
          if (.not. flag) call fail('a flag', way)
          if (wanted) call check_empty(place)
        else if (flag .and. .not. done(message_at(place))) then
          call check_complete(place, place)
        end if
      end do
    else if (way == testany .or. way == waitany) then
      at = -1
      if (wanted) then
        if (way == testany) call MPI_TESTANY(entries, requests, at, flag, STATUS_AT(1), ierr)
        if (way == waitany) call MPI_WAITANY(entries, requests, at, STATUS_AT(1), ierr)
      else
        if (way == testany) call MPI_TESTANY(entries, requests, at, flag, MPI_STATUS_IGNORE, ierr)
        if (way == waitany) call MPI_WAITANY(entries, requests, at, MPI_STATUS_IGNORE, ierr)
      end if
      if (flag) call check_complete(at + merge(MISSING, 0, way == testany), 1)
      if (.not. flag .and. .not. is_undefined()) call fail('the index of none', way)
    else if (way == testsome .or. way == waitsome) then
      completed = -1
      if (wanted) then
        if (way == testsome) call MPI_TESTSOME(entries, requests, completed, indices, found, ierr)
        if (way == waitsome) call MPI_WAITSOME(entries, requests, completed, indices, found, ierr)
      else
        if (way == testsome) call MPI_TESTSOME(entries, requests, completed, indices, MPI_STATUSES_IGNORE, ierr)
        if (way == waitsome) call MPI_WAITSOME(entries, requests, completed, indices, MPI_STATUSES_IGNORE, ierr)
      end if
      if (completed < 0 .or. completed > left .or. (way == waitsome .and. completed == 0)) &
        call fail('the number of completed requests', way)
      do k = 1, completed
        call check_complete(indices(k) + merge(MISSING, 0, way == testsome), k)
      end do
      if (completed > 1) then
        !$omp atomic
        several_tested = several_tested + merge(1, 0, way == testsome)
        !$omp atomic
        several_waited = several_waited + merge(1, 0, way == waitsome)
      end if
    else
      if (wanted) then
        if (way == testall) call MPI_TESTALL(entries, requests, flag, found, ierr)
        if (way == waitall) call MPI_WAITALL(entries, requests, found, ierr)
      else
        if (way == testall) call MPI_TESTALL(entries, requests, flag, MPI_STATUSES_IGNORE, ierr)
        if (way == waitall) call MPI_WAITALL(entries, requests, MPI_STATUSES_IGNORE, ierr)
      end if
      do place = 1, entries
        if (.not. flag) exit
        if (message_at(place) /= 0) call check_complete(place, place)
        if (message_at(place) == 0 .and. wanted) call check_empty(place)
      end do
    end if
    if (ierr /= MPI_SUCCESS) call fail('ierr', way)
  end subroutine

  logical function is_undefined()
    is_undefined = at == MPI_UNDEFINED .or. (ADDS_ONE .and. at == MPI_UNDEFINED + 1)
  end function

  subroutine check_inactive()
    integer :: place
    flag = .false.
    call MPI_TESTALL(entries, requests, flag, found, ierr)
    if (.not. flag) call fail('the flag of inactive requests', testall)
    flag = .false.
    call MPI_TESTANY(entries, requests, at, flag, STATUS_AT(1), ierr)
    if (.not. flag .or. .not. is_undefined()) call fail('the index of inactive requests', testany)
    call check_empty(1)
    call MPI_TESTSOME(entries, requests, completed, indices, found, ierr)
    if (completed /= MPI_UNDEFINED) call fail('the number of inactive requests', testsome)
    call MPI_WAITALL(entries, requests, found, ierr)
    do place = 1, entries
      call check_empty(place)
    end do
    at = -1
    call MPI_WAITANY(entries, requests, at, STATUS_AT(2), ierr)
    if (.not. is_undefined()) call fail('the index of inactive requests', waitany)
    call check_empty(2)
    completed = -1
    call MPI_WAITSOME(entries, requests, completed, indices, found, ierr)
    if (completed /= MPI_UNDEFINED) call fail('the number of inactive requests', waitsome)
  end subroutine

  subroutine check_incomplete()
    flag = .true.
    call MPI_TESTALL(entries, requests, flag, found, ierr)
    if (flag) call fail('the flag of incomplete requests', testall)
    flag = .true.
    call MPI_TESTANY(entries, requests, at, flag, STATUS_AT(1), ierr)
    if (flag .or. .not. is_undefined()) call fail('the index of incomplete requests', testany)
    completed = -1
    call MPI_TESTSOME(entries, requests, completed, indices, found, ierr)
    if (completed /= 0) call fail('the number of incomplete requests', testsome)
    flag = .true.
    call MPI_TEST(requests(place_of(3)), flag, STATUS_AT(1), ierr)
    if (flag) call fail('the flag of an incomplete request', test)
  end subroutine
end subroutine

subroutine EVERYWHERE()
  use MODULE
  use counted
  implicit none
  COMM :: comms(places)
  integer :: place, ierr
  do place = 1, places
    call MPI_COMM_DUP(MPI_COMM_WORLD, comms(place), ierr)
  end do
  call LISTS(comms(1))
  several_tested = 0
  several_waited = 0
  !$omp parallel
  !$omp single
  do place = 1, places
    !$omp task firstprivate(place)
    call LISTS(comms(place))
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  ! Otherwise their order says nothing.
  if (several_tested == 0) call fail('that never several were complete', testsome)
  if (several_waited == 0) call fail('that never several were complete', waitsome)
  do place = 1, places
    call MPI_COMM_FREE(comms(place), ierr)
  end do
end subroutine
#endif
