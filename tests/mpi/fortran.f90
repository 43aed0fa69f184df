! Blocking calls in tasks with mpif.h's names and with mpi_f08's. A task waits for one that is
! created later, with one thread.
module counted
  implicit none
  integer, parameter :: n = 200
  integer :: rank, size, peer
  ! MPICH's MPI_Neighbor_alltoallv and _alltoallw confuse two neighbours that are one rank, with loomp and without it (4.0).
  logical :: swaps
  integer :: errors = 0
contains
  subroutine fail(what)
    character(*), intent(in) :: what
    print *, 'rank', rank, ': ', what, ' is wrong'
    call abort()
  end subroutine
end module

subroutine by_mpif()
  use mpi
  use counted
  implicit none
  integer :: i, ierr, got(n), value, status(MPI_STATUS_SIZE), request, total
  !$omp parallel
  !$omp single
  do i = 1, n
    !$omp task firstprivate(i) private(ierr, status, request)
    if (mod(i, 2) == 0) then
      call MPI_RECV(got(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, status, ierr)
      if (status(MPI_TAG) /= i .or. status(MPI_SOURCE) /= peer) call fail('the status of MPI_RECV')
    else
      call MPI_IRECV(got(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, request, ierr)
      call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
      if (request /= MPI_REQUEST_NULL) call fail('the request of MPI_WAIT')
    end if
    if (ierr /= MPI_SUCCESS) call fail('ierr')
    !$omp end task
  end do
  do i = n, 1, -1
    !$omp task firstprivate(i) private(value, ierr)
    value = 10 * i + rank
    call MPI_SEND(value, 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, ierr)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  do i = 1, n
    if (got(i) /= 10 * i + peer) call fail('what was received')
  end do
  !$omp parallel
  !$omp single
  !$omp task private(ierr)
  call MPI_ALLREDUCE(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_BARRIER(MPI_COMM_WORLD, ierr)
  call MPI_ALLREDUCE(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (total /= size * (size - 1) / 2) call fail('the sum')
end subroutine

subroutine by_f08()
  use mpi_f08
  use counted
  implicit none
  integer :: i, got(n), value
  type(MPI_Status) :: status
  type(MPI_Request) :: requests(2)
  !$omp parallel
  !$omp single
  do i = 1, n
    !$omp task firstprivate(i) private(status)
    call MPI_Recv(got(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, status)
    if (status%MPI_TAG /= i .or. status%MPI_SOURCE /= peer) call fail('the status of MPI_Recv')
    !$omp end task
  end do
  do i = n, 1, -1
    !$omp task firstprivate(i) private(value)
    value = 10 * i + rank
    call MPI_Send(value, 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  do i = 1, n
    if (got(i) /= 10 * i + peer) call fail('what was received by mpi_f08')
  end do
  !$omp parallel
  !$omp single
  !$omp task private(requests, value)
  call MPI_Irecv(got(1), 1, MPI_INTEGER, peer, 1, MPI_COMM_WORLD, requests(1))
  value = -rank
  call MPI_Isend(value, 1, MPI_INTEGER, peer, 1, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  !$omp end task
  !$omp task private(requests, status, value)
  call MPI_Irecv(got(2), 1, MPI_INTEGER, peer, 2, MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), status)
  if (status%MPI_TAG /= 2) call fail('the status of MPI_Wait')
  call MPI_Probe(peer, 3, MPI_COMM_WORLD, status)
  if (status%MPI_SOURCE /= peer) call fail('the status of MPI_Probe')
  call MPI_Recv(got(3), 1, MPI_INTEGER, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Barrier(MPI_COMM_WORLD)
  !$omp end task
  !$omp task private(value)
  value = 2
  call MPI_Send(value, 1, MPI_INTEGER, peer, 2, MPI_COMM_WORLD)
  value = 3
  call MPI_Send(value, 1, MPI_INTEGER, peer, 3, MPI_COMM_WORLD)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (any(got(1:3) /= [-peer, 2, 3])) call fail('what MPI_Waitall waited for')
end subroutine

! Collectives with a datatype for each rank, of which there are lists: among all ranks, among the
! neighbours in a ring, and in a graph in which all send to rank 0. On MPICH, rank 0 sends to all, too:
! a rank with more sources than targets makes MPICH 4.0.2 read past its lists, so that
! MPI_NEIGHBOR_ALLTOALLW hangs at times, with loomp and without it.
subroutine by_types()
  use mpi
  use counted
  implicit none
  integer :: i, k, ierr, pair, empty, ring, graph, answers, sources, targets, in_place
  integer, dimension(0:size - 1) :: ones, none, offsets, pairs, ranks
  integer :: out(2, 0:size - 1), in(2, 0:size - 1), both(2, 0:1), got(2, 0:1)
  integer(MPI_ADDRESS_KIND) :: bytes(0:max(size, 2) - 1)
  character(MPI_MAX_LIBRARY_VERSION_STRING) :: library
  call MPI_TYPE_CONTIGUOUS(2, MPI_INTEGER, pair, ierr)
  call MPI_TYPE_COMMIT(pair, ierr)
  ones = 1
  pairs = pair
  ranks = [(i, i = 0, size - 1)]
  offsets = 8 * ranks
  bytes = [(8 * i, i = 0, max(size, 2) - 1)]
  call MPI_GET_LIBRARY_VERSION(library, k, ierr)
  answers = merge(1, 0, index(library, 'MPICH') > 0)
  swaps = answers == 1
  sources = merge(size, answers, rank == 0)
  targets = merge(size, 1, rank == 0 .and. answers == 1)
  call MPI_CART_CREATE(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring, ierr)
  call MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, sources, ranks, MPI_UNWEIGHTED, targets, ranks, MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., graph, ierr)
  out = reshape([((100 * rank + 10 * i + k, k = 1, 2), i = 0, size - 1)], [2, size])
  both = reshape([((100 * rank + 10 * i + k, k = 1, 2), i = 0, 1)], [2, 2])
  do in_place = 0, 1
    in = -1
    got = -1
    !$omp parallel
    !$omp single
    !$omp task private(ierr)
    if (in_place == 1) then
      in = out
      call MPI_ALLTOALLW(MPI_IN_PLACE, ones, offsets, pairs, in, ones, offsets, pairs, MPI_COMM_WORLD, ierr)
    else
      call MPI_ALLTOALLW(out, ones, offsets, pairs, in, ones, offsets, pairs, MPI_COMM_WORLD, ierr)
    end if
    if (ierr /= MPI_SUCCESS) call fail('ierr of MPI_ALLTOALLW')
    call MPI_NEIGHBOR_ALLTOALLW(both, [1, 1], bytes, [pair, pair], got, [1, 1], bytes, [pair, pair], ring, ierr)
    if (ierr /= MPI_SUCCESS) call fail('ierr of MPI_NEIGHBOR_ALLTOALLW')
    !$omp end task
    !$omp end single
    !$omp end parallel
    if (any(in /= reshape([((100 * i + 10 * rank + k, k = 1, 2), i = 0, size - 1)], [2, size]))) &
      call fail('what MPI_ALLTOALLW brought')
    ! From the left what it sent to its right, and the reverse.
    if (swaps .and. size <= 2) got = got(:, [1, 0])
    if (any(got(:, 0) /= [(100 * mod(rank + size - 1, size) + 10 + k, k = 1, 2)]) .or. &
        any(got(:, 1) /= [(100 * mod(rank + 1, size) + k, k = 1, 2)])) call fail('what MPI_NEIGHBOR_ALLTOALLW brought')
  end do
  ! Blocks of no bytes, for which the others have no block, then blocks.
  call MPI_TYPE_CONTIGUOUS(0, MPI_INTEGER, empty, ierr)
  call MPI_TYPE_COMMIT(empty, ierr)
  none = 0
  in = -1
  call MPI_ALLTOALLV(out, none, ranks, MPI_INTEGER, in, ones, ranks, empty, MPI_COMM_WORLD, ierr)
  if (ierr /= MPI_SUCCESS .or. any(in /= -1)) call fail('MPI_ALLTOALLV of no bytes')
  call MPI_ALLTOALLV(out, ones, ranks, pair, in, ones, ranks, pair, MPI_COMM_WORLD, ierr)
  if (any(in /= reshape([((100 * i + 10 * rank + k, k = 1, 2), i = 0, size - 1)], [2, size]))) &
    call fail('what MPI_ALLTOALLV brought')
  call MPI_TYPE_FREE(empty, ierr)
  in = -1
  ! Outside tasks, too.
  call MPI_NEIGHBOR_ALLTOALLW(out, ones, bytes, pairs, in, ones, bytes, pairs, graph, ierr)
  if (rank == 0 .and. any(in /= reshape([((100 * i + k, k = 1, 2), i = 0, size - 1)], [2, size]))) &
    call fail('what the graph brought')
  if (rank /= 0 .and. any(in(:, 0:answers - 1) /= reshape([((10 * rank + k, k = 1, 2), i = 1, answers)], [2, answers]))) &
    call fail('what rank 0 answered')
  if (rank /= 0 .and. any(in(:, answers:) /= -1)) call fail('what nobody sent')
  call MPI_COMM_FREE(ring, ierr)
  call MPI_COMM_FREE(graph, ierr)
  call MPI_TYPE_FREE(pair, ierr)
end subroutine

! Exchanges with the neighbours in a ring, where both may be one rank, and an exchange in place at an absolute address.
subroutine by_neighbours()
  use mpi
  use counted
  implicit none
  integer :: i, ierr, ring, absolute, out(2), in(2), expected(2), in_place(3), handler
  integer(MPI_ADDRESS_KIND) :: address(1)
  call MPI_CART_CREATE(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring, ierr)
  out = [10 * rank, 10 * rank + 1]
  expected = [10 * mod(rank + size - 1, size) + 1, 10 * mod(rank + 1, size)]
  in_place = [rank, 2, 3]
  call MPI_GET_ADDRESS(in_place, address(1), ierr)
  call MPI_TYPE_CREATE_HINDEXED(1, [3], address, MPI_INTEGER, absolute, ierr)
  call MPI_TYPE_COMMIT(absolute, ierr)
  !$omp parallel
  !$omp single
  !$omp task private(ierr)
  in = -1
  call MPI_NEIGHBOR_ALLTOALL(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, ierr)
  if (ierr /= MPI_SUCCESS .or. any(in /= expected)) call fail('what MPI_NEIGHBOR_ALLTOALL brought')
  in = -1
  call MPI_NEIGHBOR_ALLTOALLV(out, [1, 1], [0, 1], MPI_INTEGER, in, [1, 1], [1, 0], MPI_INTEGER, ring, ierr)
  if (swaps .and. size <= 2) in = in([2, 1])
  if (ierr /= MPI_SUCCESS .or. any(in /= expected([2, 1]))) call fail('what MPI_NEIGHBOR_ALLTOALLV brought')
  call MPI_SENDRECV_REPLACE(MPI_BOTTOM, 1, absolute, peer, 5, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  if (ierr /= MPI_SUCCESS .or. in_place(1) /= peer) call fail('what MPI_SENDRECV_REPLACE brought')
  !$omp end task
  !$omp end single
  !$omp end parallel
  ! A handle may be freed as often as it is asked for.
  do i = 1, 50
    call MPI_COMM_GET_ERRHANDLER(ring, handler, ierr)
    if (handler /= MPI_ERRORS_ARE_FATAL) call fail('the error handler')
    call MPI_COMM_SET_ERRHANDLER(ring, handler, ierr)
    call MPI_ERRHANDLER_FREE(handler, ierr)
  end do
  ! Outside tasks, too.
  in = -1
  call MPI_NEIGHBOR_ALLTOALL(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, ierr)
  if (any(in /= expected)) call fail('what MPI_NEIGHBOR_ALLTOALL brought outside tasks')
  call MPI_SENDRECV_REPLACE(MPI_BOTTOM, 1, absolute, peer, 5, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  if (in_place(1) /= rank) call fail('what MPI_SENDRECV_REPLACE brought outside tasks')
  call MPI_TYPE_FREE(absolute, ierr)
  call MPI_COMM_FREE(ring, ierr)
end subroutine

subroutine by_neighbours_f08()
  use mpi_f08
  use counted
  implicit none
  integer :: i, out(2), in(2), expected(2), in_place(3)
  integer(MPI_ADDRESS_KIND) :: address(1), bytes(2)
  type(MPI_Comm) :: ring
  type(MPI_Datatype) :: absolute
  type(MPI_Errhandler) :: handler
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring)
  out = [10 * rank, 10 * rank + 1]
  expected = [10 * mod(rank + size - 1, size) + 1, 10 * mod(rank + 1, size)]
  in_place = [rank, 2, 3]
  bytes = [0, 4]
  call MPI_Get_address(in_place, address(1))
  call MPI_Type_create_hindexed(1, [3], address, MPI_INTEGER, absolute)
  call MPI_Type_commit(absolute)
  !$omp parallel
  !$omp single
  !$omp task
  in = -1
  call MPI_Neighbor_alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring)
  if (any(in /= expected)) call fail('what MPI_Neighbor_alltoall brought')
  in = -1
  call MPI_Neighbor_alltoallv(out, [1, 1], [0, 1], MPI_INTEGER, in, [1, 1], [1, 0], MPI_INTEGER, ring)
  if (swaps .and. size <= 2) in = in([2, 1])
  if (any(in /= expected([2, 1]))) call fail('what MPI_Neighbor_alltoallv brought')
  if (.not. swaps) then ! MPICH's call for mpi_f08 takes every topology for a graph (4.0)
    in = -1
    call MPI_Neighbor_alltoallw(out, [1, 1], bytes, [MPI_INTEGER, MPI_INTEGER], in, [1, 1], bytes, [MPI_INTEGER, MPI_INTEGER], &
                                ring)
    if (any(in /= expected)) call fail('what MPI_Neighbor_alltoallw brought')
  end if
  call MPI_Sendrecv_replace(MPI_BOTTOM, 1, absolute, peer, 5, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  if (in_place(1) /= peer) call fail('what MPI_Sendrecv_replace brought')
  !$omp end task
  !$omp end single
  !$omp end parallel
  do i = 1, 50
    call MPI_Comm_get_errhandler(ring, handler)
    if (handler /= MPI_ERRORS_ARE_FATAL) call fail('the error handler of mpi_f08')
    call MPI_Comm_set_errhandler(ring, handler)
    call MPI_Errhandler_free(handler)
  end do
  call MPI_Type_free(absolute)
  call MPI_Comm_free(ring)
end subroutine

! Calls that hold up the tasks of the odd ranks until a later task of the even ones runs.
subroutine held_up()
  use mpi
  use counted
  implicit none
  integer :: ierr, comm, file, value, total, status(MPI_STATUS_SIZE), next(1), before(1)
  integer(MPI_OFFSET_KIND) :: at
  character(40) :: path
  write (path, '(a, i0)') '/tmp/loomp-fortran-', getpid_of_first()
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  !$omp parallel
  !$omp single
  !$omp task private(ierr, comm, file, status, at, value)
  if (mod(rank, 2) == 1) call MPI_RECV(value, 0, MPI_INTEGER, rank - 1, 9, MPI_COMM_WORLD, status, ierr)
  call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
  if (ierr /= MPI_SUCCESS) call fail('MPI_COMM_DUP')
  call MPI_COMM_FREE(comm, ierr)
  call MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, 1, before, next, 1, next, before, MPI_INFO_NULL, .false., comm, ierr)
  if (ierr /= MPI_SUCCESS) call fail('MPI_DIST_GRAPH_CREATE_ADJACENT')
  call MPI_ALLREDUCE(rank, total, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
  call MPI_FILE_OPEN(comm, trim(path), MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE, &
                     MPI_INFO_NULL, file, ierr)
  if (ierr /= MPI_SUCCESS) call fail('MPI_FILE_OPEN')
  at = 0
  call MPI_FILE_SET_VIEW(file, at, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  at = rank
  value = 7 * rank
  call MPI_FILE_WRITE_AT_ALL(file, at, value, 1, MPI_INTEGER, status, ierr)
  call MPI_FILE_SYNC(file, ierr)
  call MPI_BARRIER(comm, ierr)
  value = -1
  call MPI_FILE_READ_AT(file, at, value, 1, MPI_INTEGER, status, ierr)
  if (ierr /= MPI_SUCCESS .or. value /= 7 * rank) call fail('MPI_FILE_READ_AT')
  value = 8 * rank
  call MPI_FILE_WRITE_AT_ALL_BEGIN(file, at, value, 1, MPI_INTEGER, ierr)
  call MPI_FILE_WRITE_AT_ALL_END(file, value, status, ierr)
  value = -1
  call MPI_FILE_READ_AT_ALL_BEGIN(file, at, value, 1, MPI_INTEGER, ierr)
  call MPI_FILE_READ_AT_ALL_END(file, value, status, ierr)
  if (ierr /= MPI_SUCCESS .or. value /= 8 * rank) call fail('MPI_FILE_READ_AT_ALL_END')
  call MPI_FILE_CLOSE(file, ierr)
  call MPI_COMM_FREE(comm, ierr)
  !$omp end task
  !$omp task private(ierr, value)
  if (mod(rank, 2) == 0 .and. rank + 1 < size) &
    call MPI_SEND(value, 0, MPI_INTEGER, rank + 1, 9, MPI_COMM_WORLD, ierr)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (total /= size * (size - 1) / 2) call fail('the sum over the new communicator')
contains
  integer function getpid_of_first()
    getpid_of_first = getpid()
    call MPI_BCAST(getpid_of_first, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end function
end subroutine

! Each call of mpi_f08 that makes a communicator, or ends an epoch, holds the odd ranks up.
subroutine held_up_f08()
  use, intrinsic :: iso_c_binding, only : c_ptr
  use mpi_f08
  use counted
  implicit none
  integer :: value, way, ways, unset, next(1), before(1)
  integer(MPI_ADDRESS_KIND), parameter :: bytes = 64
  type(MPI_Comm) :: comm, grid
  type(MPI_Win) :: window
  type(c_ptr) :: base
  ! Calls that are made one at a time: a rank that waits in MPI_Win_fence makes no other.
  call get_environment_variable('LOOMP_MPI_THREAD_LEVEL', status=unset)
  ways = merge(4, 6, unset == 0)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], .false., grid)
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, window)
  do way = 1, ways
    !$omp parallel
    !$omp single
    !$omp task private(comm, value) firstprivate(way)
    if (mod(rank, 2) == 1) call MPI_Recv(value, 0, MPI_INTEGER, rank - 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    select case (way)
    case (1)
      call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, comm)
    case (2)
      call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, before, next, 1, next, before, MPI_INFO_NULL, .false., comm)
    case (3)
      call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], .false., comm)
    case (4)
      call MPI_Cart_sub(grid, [.true.], comm)
    case (5)
      call MPI_Win_fence(0, window)
      call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    case (6)
      call MPI_Win_fence(MPI_MODE_NOSUCCEED, window)
      call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    end select
    call MPI_Barrier(comm)
    call MPI_Comm_free(comm)
    !$omp end task
    !$omp task private(value)
    if (mod(rank, 2) == 0 .and. rank + 1 < size) call MPI_Send(value, 0, MPI_INTEGER, rank + 1, 9, MPI_COMM_WORLD)
    !$omp end task
    !$omp end single
    !$omp end parallel
  end do
  call MPI_Win_free(window)
  call MPI_Comm_free(grid)
end subroutine

! The handler of MPI_COMM_WORLD, which other handlers have been before.
subroutine handled()
  use mpi
  use counted
  implicit none
  integer :: ierr, handler, value
  call MPI_COMM_CREATE_ERRHANDLER(note_error, handler, ierr)
  call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, handler, ierr)
  value = 0
  call MPI_SEND(value, 1, MPI_INTEGER, size + 5, 1, MPI_COMM_WORLD, ierr)
  if (ierr == MPI_SUCCESS .or. errors /= 1) call fail('the number of errors')
  call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_SEND(value, 1, MPI_INTEGER, size + 5, 1, MPI_COMM_WORLD, ierr)
  if (ierr == MPI_SUCCESS .or. errors /= 1) call fail('the number of errors that are returned')
  call MPI_ERRHANDLER_FREE(handler, ierr)
contains
  subroutine note_error(comm, code)
    integer :: comm, code
    if (comm /= MPI_COMM_WORLD .or. code == MPI_SUCCESS) call fail('the error in its handler')
    errors = errors + 1
  end subroutine
end subroutine

subroutine handled_f08()
  use mpi_f08
  use counted
  implicit none
  integer :: ierr, value
  type(MPI_Errhandler) :: handler, set
  call MPI_Comm_create_errhandler(note_error, handler)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler)
  call MPI_Comm_get_errhandler(MPI_COMM_WORLD, set)
  if (set /= handler) call fail('the error handler that is set')
  value = 0
  call MPI_Send(value, 1, MPI_INTEGER, size + 5, 1, MPI_COMM_WORLD, ierr)
  if (ierr == MPI_SUCCESS .or. errors /= 2) call fail('the number of errors of mpi_f08')
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  call MPI_Errhandler_free(handler)
  call MPI_Errhandler_free(set)
contains
  subroutine note_error(comm, code)
    type(MPI_Comm) :: comm
    integer :: code
    if (comm /= MPI_COMM_WORLD .or. code == MPI_SUCCESS) call fail('the error in its handler of mpi_f08')
    errors = errors + 1
  end subroutine
end subroutine

subroutine start()
  use mpi_f08
  implicit none
  call MPI_Init()
end subroutine

program fortran
  use mpi
  use counted
  implicit none
  integer :: ierr, repetition, repetitions, missing
  character(12) :: number
  repetitions = 1
  call get_environment_variable('REPETITIONS', number, status=missing)
  if (missing == 0) read (number, *) repetitions
  call start()
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  peer = ieor(rank, 1)
  if (peer >= size) peer = rank
  do repetition = 1, repetitions
    call by_mpif()
    call by_f08()
    call by_types()
    call by_neighbours()
    call by_neighbours_f08()
    call held_up()
    call held_up_f08()
  end do
  call handled()
  call handled_f08()
  call MPI_FINALIZE(ierr)
end program
