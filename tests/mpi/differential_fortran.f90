! Random calls by mpi_f08, whose results are written to a file per rank, like differential.c.
!
! usage: differential_fortran FILE SEED STEPS outside|task|mixed
program differential_fortran
    use, intrinsic :: iso_fortran_env, only: int64
    use mpi_f08
    use omp_lib
    implicit none
    integer, parameter :: LONG = 2048
    integer, asynchronous :: from(LONG), to(LONG)
    integer(int64) :: all_state, state
    integer :: rank, size, step, steps, unit, code, level
    type(MPI_Comm) :: comms(3)
    type(MPI_Datatype) :: gapped
    type(MPI_Errhandler) :: counting
    character(len=1000) :: name, word
    logical :: in_task

    call MPI_Init_thread(MPI_THREAD_MULTIPLE, level)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    call get_command_argument(1, name)
    write (word, '(i0)') rank
    open (newunit=unit, file=trim(name)//'.'//trim(word), action='write')
    call get_command_argument(2, word)
    read (word, *) all_state
    all_state = 88172645463325252_int64 + 1000003*all_state
    call get_command_argument(3, word)
    read (word, *) steps
    call get_command_argument(4, word)
    in_task = word == 'task' .or. (word == 'mixed' .and. mod(rank, 2) == 0)
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, gapped)
    call MPI_Type_commit(gapped)
    call MPI_Comm_create_errhandler(handle, counting)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call make_communicators()
    !$omp parallel if (word /= 'outside')
    !$omp single
    !$omp task if (in_task)
    call run()
    !$omp end task
    !$omp end single
    !$omp end parallel
    close (unit)
    do step = 1, 3
        call MPI_Comm_free(comms(step))
    end do
    call MPI_Errhandler_free(counting)
    call MPI_Type_free(gapped)
    call MPI_Finalize()

contains

    integer function draw(numbers)
        integer, intent(in) :: numbers
        state = ieor(state, ishft(state, 13))
        state = ieor(state, ishft(state, -7))
        state = ieor(state, ishft(state, 17))
        draw = int(modulo(state, int(numbers, int64)))
    end function

    subroutine handle(comm, error)
        type(MPI_Comm) :: comm
        integer :: error, class
        call MPI_Error_class(error, class)
        write (unit, '(a,i0)') '  handler: class ', class
    end subroutine

    subroutine say(text, error)
        character(len=*), intent(in) :: text
        integer, intent(in) :: error
        integer :: class
        call MPI_Error_class(error, class)
        write (unit, '(i0,1x,a,1x,i0)') step, text, class
    end subroutine

    subroutine say_buffer()
        integer :: i
        integer(int64) :: hash
        hash = 1469598103934665603_int64
        do i = 1, LONG
            hash = ieor(hash, int(to(i), int64))
            hash = ieor(hash, ishft(hash, 13))
            hash = ieor(hash, ishft(hash, -7))
            hash = ieor(hash, ishft(hash, 17))
        end do
        write (unit, '(a,z16.16)') '  buffer ', hash
    end subroutine

    subroutine blank(status)
        type(MPI_Status), intent(inout) :: status
        status%MPI_SOURCE = -77
        status%MPI_TAG = -77
        status%MPI_ERROR = -77
    end subroutine

    subroutine say_status(status, with_error)
        type(MPI_Status), intent(in) :: status
        logical, intent(in) :: with_error
        integer :: count
        count = -5
        if (status%MPI_SOURCE /= -77) call MPI_Get_count(status, MPI_INTEGER, count)
        write (unit, '(a,4(1x,i0))') '  status', status%MPI_SOURCE, status%MPI_TAG, merge(status%MPI_ERROR, 0, with_error), count
    end subroutine

    subroutine make_communicators()
        integer :: dims(2), i
        logical :: periods(2)
        call MPI_Comm_dup(MPI_COMM_WORLD, comms(1))
        call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, comms(2))
        dims = 0
        dims(1) = 1
        periods = [.true., .true.]
        call MPI_Dims_create(size, 2, dims)
        call MPI_Cart_create(comms(1), 2, dims, periods, .false., comms(3))
        do i = 1, 3
            call MPI_Comm_set_errhandler(comms(i), merge(counting, MPI_ERRORS_RETURN, i == 2))
        end do
    end subroutine

    subroutine message(comm)
        type(MPI_Comm), intent(in) :: comm
        integer :: own, source, target, tag, count, sends, receives, peer, wanted, space, error, index
        integer :: done, indices(3)
        logical :: flag
        type(MPI_Request) :: request, list(3), sending
        type(MPI_Status) :: status, seen, statuses(3)
        type(MPI_Message) :: matched
        call MPI_Comm_rank(comm, own)
        source = draw(size)
        target = draw(size)
        tag = draw(9)
        count = draw(30)
        sends = draw(4)
        receives = draw(9)
        space = count + draw(4)
        peer = source
        if (draw(3) == 0) peer = MPI_ANY_SOURCE
        wanted = tag
        if (draw(3) == 0) wanted = MPI_ANY_TAG
        if (receives < 3 .and. draw(6) == 0 .and. count > 0) space = count - 1
        sending = MPI_REQUEST_NULL
        error = MPI_SUCCESS
        if (own == source) then
            if (source == target .or. sends == 0) then
                call MPI_Isend(from, count, MPI_INTEGER, target, tag, comm, sending, error)
            else if (sends == 1) then
                call MPI_Send(from, count, MPI_INTEGER, target, tag, comm, error)
            else if (sends == 2) then
                call MPI_Ssend(from, count, MPI_INTEGER, target, tag, comm, error)
            else
                call MPI_Send_init(from, count, MPI_INTEGER, target, tag, comm, sending, error)
                call MPI_Start(sending)
                call MPI_Wait(sending, MPI_STATUS_IGNORE, error)
                call MPI_Request_free(sending)
            end if
            call say('send', error)
        end if
        if (own == target) then
            call blank(status)
            call blank(seen)
            list = MPI_REQUEST_NULL
            index = -1
            done = -1
            indices = -1
            select case (receives)
            case (0)
                call MPI_Recv(to, space, MPI_INTEGER, peer, wanted, comm, status, error)
            case (1)
                call MPI_Irecv(to, space, MPI_INTEGER, peer, wanted, comm, request)
                call MPI_Wait(request, status, error)
            case (2)
                call MPI_Probe(peer, wanted, comm, seen)
                call say_status(seen, .false.)
                call MPI_Recv(to, space, MPI_INTEGER, seen%MPI_SOURCE, seen%MPI_TAG, comm, status, error)
            case (3)
                call MPI_Mprobe(peer, wanted, comm, matched, seen)
                call say_status(seen, .false.)
                call MPI_Mrecv(to, space, MPI_INTEGER, matched, status, error)
            case (4)
                call MPI_Irecv(to, space, MPI_INTEGER, peer, wanted, comm, list(2))
                call blank(statuses(2))
                call MPI_Waitall(3, list, statuses, error)
                status = statuses(2)
            case (5)
                call MPI_Irecv(to, space, MPI_INTEGER, peer, wanted, comm, list(2))
                call MPI_Waitany(3, list, index, status, error)
                index = -1 ! MPICH counts from 0 (4.0)
            case (6)
                call MPI_Irecv(to, space, MPI_INTEGER, peer, wanted, comm, list(3))
                call MPI_Waitsome(3, list, done, indices, statuses, error)
                status = statuses(1)
                indices = -1 ! MPICH counts from 0 (4.0)
            case (7)
                call MPI_Irecv(to, space, MPI_INTEGER, peer, wanted, comm, list(3))
                flag = .false.
                do while (.not. flag)
                    call MPI_Testany(3, list, index, flag, status, error)
                end do
            case default
                call MPI_Recv(to, space, MPI_INTEGER, peer, wanted, comm, MPI_STATUS_IGNORE, error)
            end select
            call say('receive', error)
            write (unit, '(a,3(1x,i0))') '  indices', index, done, indices(1)
            if (error == MPI_SUCCESS) then
                call say_status(status, receives == 4) ! Open MPI leaves MPI_ERROR of others undefined (4.1)
                call say_buffer()
            end if
        end if
        call MPI_Wait(sending, MPI_STATUS_IGNORE)
        call MPI_Barrier(comm)
    end subroutine

    subroutine exchange(comm)
        type(MPI_Comm), intent(in) :: comm
        integer :: own, shift, target, source, error
        type(MPI_Status) :: status
        call MPI_Comm_rank(comm, own)
        shift = draw(size)
        target = mod(own + shift, size)
        source = mod(own + size - shift, size)
        call blank(status)
        if (draw(2) == 0) then
            call MPI_Sendrecv(from, 20, MPI_INTEGER, target, 3, to, 10, gapped, source, 3, comm, status, error)
        else
            call MPI_Sendrecv_replace(to, 10, gapped, target, 3, source, MPI_ANY_TAG, comm, status, error)
        end if
        call say('exchange', error)
        call say_status(status, .false.)
        call say_buffer()
    end subroutine

    subroutine collective(comm)
        type(MPI_Comm), intent(in) :: comm
        integer :: kind, root, count, error, i, counts(8), places(8), in_place
        kind = draw(15)
        root = draw(size)
        count = draw(20)
        in_place = draw(2)
        counts = [(2, i=1, 8)]
        places = [(6*(i - 1), i=1, 8)]
        select case (kind)
        case (0)
            call MPI_Bcast(to, count, gapped, root, comm, error)
        case (1)
            call MPI_Gather(from, count, MPI_INTEGER, to, count, MPI_INTEGER, root, comm, error)
        case (2)
            call MPI_Scatter(from, count, gapped, to, 2*count, MPI_INTEGER, root, comm, error)
        case (3)
            call MPI_Allgatherv(from, 2, MPI_INTEGER, to, counts, places, MPI_INTEGER, comm, error)
        case (4)
            if (in_place == 1) then
                call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, to, count, MPI_INTEGER, comm, error)
            else
                call MPI_Alltoall(from, count, MPI_INTEGER, to, count, MPI_INTEGER, comm, error)
            end if
        case (5)
            call MPI_Alltoallv(from, counts, places, gapped, to, counts, places, gapped, comm, error)
        case (6)
            call MPI_Alltoallw(from, counts, 4*places, [(gapped, i=1, 8)], to, counts, 4*places, [(gapped, i=1, 8)], comm, error)
        case (7)
            call MPI_Reduce(from, to, count, MPI_INTEGER, MPI_MAX, root, comm, error)
        case (8)
            if (in_place == 1) then
                call MPI_Allreduce(MPI_IN_PLACE, to, count, MPI_INTEGER, MPI_SUM, comm, error)
            else
                call MPI_Allreduce(from, to, LONG, MPI_INTEGER, MPI_BXOR, comm, error)
            end if
        case (9)
            call MPI_Reduce_scatter_block(from, to, count, MPI_INTEGER, MPI_MIN, comm, error)
        case (10)
            call MPI_Scan(from, to, count, MPI_INTEGER, MPI_SUM, comm, error)
        case (11)
            call MPI_Barrier(comm, error)
        case (12)
            call MPI_Neighbor_allgather(from, count, MPI_INTEGER, to, count, MPI_INTEGER, comms(3), error)
        case (13)
            call MPI_Neighbor_alltoall(from, count, gapped, to, 2*count, MPI_INTEGER, comms(3), error)
        case default
            call MPI_Neighbor_alltoallv(from, counts, places, gapped, to, counts, places, gapped, comms(3), error)
        end select
        write (unit, '(a,2(1x,i0))') '  kind', kind, in_place
        call say('collective', error)
        call say_buffer()
    end subroutine

    subroutine wrong(comm)
        type(MPI_Comm), intent(in) :: comm
        integer :: kind, error
        type(MPI_Status) :: status
        kind = draw(9)
        call blank(status)
        select case (kind)
        case (0)
            call MPI_Send(from, -1, MPI_INTEGER, 0, 1, comm, error)
        case (1)
            call MPI_Recv(to, 1, MPI_DATATYPE_NULL, 0, 1, comm, status, error)
        case (2)
            call MPI_Ssend(from, 1, MPI_INTEGER, size + 2, 1, comm, error)
        case (3)
            call MPI_Sendrecv(from, 1, MPI_INTEGER, size, 1, to, 1, MPI_INTEGER, 0, 1, comm, status, error)
        case (4)
            call MPI_Sendrecv_replace(to, 1, MPI_DATATYPE_NULL, 0, 1, 0, 1, comm, status, error)
        case (5)
            call MPI_Bcast(to, 1, MPI_INTEGER, size, comm, error)
        case (6)
            call MPI_Allreduce(from, to, 1, MPI_INTEGER, MPI_OP_NULL, comm, error)
        case (7)
            call MPI_Probe(size + 1, 1, comm, status, error)
        case default
            call MPI_Alltoall(from, -1, MPI_INTEGER, to, -1, MPI_INTEGER, comm, error)
        end select
        call say('wrong', error)
        call say_status(status, .false.)
        call say_buffer()
    end subroutine

    subroutine run()
        integer :: kind, i
        type(MPI_Comm) :: comm
        do step = 1, steps
            state = all_state
            kind = draw(10)
            comm = comms(1 + draw(3))
            all_state = state
            do i = 1, LONG
                from(i) = 1000003*(rank + 1) + 4099*step + i
                to(i) = -i
            end do
            select case (kind)
            case (0:3)
                call message(comm)
            case (4)
                call exchange(comm)
                call MPI_Barrier(comm)
            case (5:7)
                call collective(comm)
            case default
                call wrong(comm)
            end select
        end do
    end subroutine
end program
