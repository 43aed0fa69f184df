! What a Fortran program tells the recorder of `loomp trace`: record.h, which says what each does, as
! a module. Compile it with the program; it needs no library, and where nothing is recorded the calls
! do nothing, on any OpenMP runtime.
!
!   use loomp_record
!   call loomp_task_label("potrf")     ! of the next task that the thread creates
!   call loomp_record_stop()
!   call loomp_record_start()
module loomp_record
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: loomp_task_label, loomp_record_stop, loomp_record_start

  interface
    function loomp_find(place, name) bind(c, name="dlsym") result(function)
      import :: c_ptr, c_funptr, c_char
      type(c_ptr), value :: place
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: function
    end function
  end interface
  abstract interface
    subroutine plain() bind(c)
    end subroutine
    subroutine labels(label) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: label(*)
    end subroutine
  end interface

contains

  ! In the program and the libraries that it was started with: RTLD_DEFAULT of the GNU C library is null.
  function found(name) result(function)
    character(*), intent(in) :: name
    type(c_funptr) :: function
    function = loomp_find(c_null_ptr, name // c_null_char)
  end function

  subroutine call_plain(name)
    character(*), intent(in) :: name
    type(c_funptr) :: function
    procedure(plain), pointer :: target
    function = found(name)
    if (.not. c_associated(function)) return
    call c_f_procpointer(function, target)
    call target()
  end subroutine

  subroutine loomp_record_stop()
    call call_plain("loomp_record_stop")
  end subroutine

  subroutine loomp_record_start()
    call call_plain("loomp_record_start")
  end subroutine

  subroutine loomp_task_label(label)
    character(*), intent(in) :: label
    type(c_funptr) :: function
    procedure(labels), pointer :: target
    function = found("loomp_record_label")
    if (.not. c_associated(function)) return
    call c_f_procpointer(function, target)
    call target(trim(label) // c_null_char)
  end subroutine
end module
