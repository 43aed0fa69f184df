! Processes that meet by accept and connect, and that a program starts, in Fortran: the calls leave their threads to other
! tasks. They use `use mpi` and `use mpi_f08`.
module counted
  implicit none
  integer :: rank, size
contains
  subroutine fail(what)
    character(*), intent(in) :: what
    print *, 'rank', rank, ': ', what, ' is wrong'
    call abort()
  end subroutine
end module

! Rank 0 accepts before a later task of its tells rank 1 the port's name.
subroutine meet()
  use mpi
  use counted
  implicit none
  character(MPI_MAX_PORT_NAME) :: port
  integer :: ierr, other, value
  if (rank == 0) call MPI_OPEN_PORT(MPI_INFO_NULL, port, ierr)
  !$omp parallel
  !$omp single
  !$omp task private(ierr, other, value)
  if (rank == 0) then
    call MPI_COMM_ACCEPT(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, ierr)
    call MPI_RECV(value, 1, MPI_INTEGER, 0, 1, other, MPI_STATUS_IGNORE, ierr)
    if (value /= 77) call fail('what came over MPI_COMM_ACCEPT')
  else
    call MPI_RECV(port, len(port), MPI_CHARACTER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_COMM_CONNECT(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, ierr)
    value = 77
    call MPI_SEND(value, 1, MPI_INTEGER, 0, 1, other, ierr)
  end if
  call MPI_COMM_DISCONNECT(other, ierr)
  !$omp end task
  !$omp task private(ierr)
  if (rank == 0) call MPI_SEND(port, len(port), MPI_CHARACTER, 1, 1, MPI_COMM_WORLD, ierr)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (rank == 0) call MPI_CLOSE_PORT(port, ierr)
end subroutine

subroutine meet_f08()
  use mpi_f08
  use counted
  implicit none
  character(MPI_MAX_PORT_NAME) :: port
  integer :: value
  type(MPI_Comm) :: other
  if (rank == 0) call MPI_Open_port(MPI_INFO_NULL, port)
  !$omp parallel
  !$omp single
  !$omp task private(other, value)
  if (rank == 0) then
    call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other)
    call MPI_Recv(value, 1, MPI_INTEGER, 0, 1, other, MPI_STATUS_IGNORE)
    if (value /= 78) call fail('what came over MPI_Comm_accept')
  else
    call MPI_Recv(port, len(port), MPI_CHARACTER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other)
    value = 78
    call MPI_Send(value, 1, MPI_INTEGER, 0, 1, other)
  end if
  call MPI_Comm_disconnect(other)
  !$omp end task
  !$omp task
  if (rank == 0) call MPI_Send(port, len(port), MPI_CHARACTER, 1, 1, MPI_COMM_WORLD)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (rank == 0) call MPI_Close_port(port)
end subroutine

! Rank 1 comes to the call when a later task of rank 0 tells it to.
subroutine start_others()
  use mpi_f08
  use counted
  implicit none
  character(1000) :: path, arguments(2)
  integer :: value
  type(MPI_Comm) :: children
  call get_command_argument(0, path)
  arguments = ['child', '     ']
  !$omp parallel
  !$omp single
  !$omp task private(value, children)
  if (rank == 1) call MPI_Recv(value, 0, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Comm_spawn(path, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE)
  call MPI_Recv(value, 1, MPI_INTEGER, 0, 1, children, MPI_STATUS_IGNORE)
  if (value /= 79) call fail('what came from a child')
  call MPI_Comm_disconnect(children)
  !$omp end task
  !$omp task private(value)
  if (rank == 0) call MPI_Send(value, 0, MPI_INTEGER, 1, 1, MPI_COMM_WORLD)
  !$omp end task
  !$omp end single
  !$omp end parallel
end subroutine

program processes_fortran
  use mpi
  use counted
  implicit none
  integer :: ierr, parent, i, value
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  call MPI_COMM_GET_PARENT(parent, ierr)
  value = 79
  if (parent /= MPI_COMM_NULL) then
    do i = 0, 1
      call MPI_SEND(value, 1, MPI_INTEGER, i, 1, parent, ierr)
    end do
    call MPI_COMM_DISCONNECT(parent, ierr)
  else
    call meet()
    call meet_f08()
    call start_others()
  end if
  call MPI_FINALIZE(ierr)
end program
