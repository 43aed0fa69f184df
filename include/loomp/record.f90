! Calls with which a Fortran program informs the recorder of `loomp trace`: a module for record.h,
! which describes each call. Compile it with the program. It needs no library: without a recorder the
! calls do nothing, on any OpenMP runtime.
!
!   use loomp_record
!   call loomp_task_label("potrf")     ! for the thread's next created task
!   call loomp_region_begin("step")
!   call loomp_region_end("step")      ! without a name: the latest one
!   call loomp_record_stop()
!   call loomp_record_start()
module loomp_record
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: loomp_task_label, loomp_region_begin, loomp_region_end, loomp_record_stop, loomp_record_start

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
    subroutine without_name(name) bind(c)
      import :: c_ptr
      type(c_ptr), value :: name
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

  subroutine call_with(name, text)
    character(*), intent(in) :: name, text
    type(c_funptr) :: function
    procedure(labels), pointer :: target
    function = found(name)
    if (.not. c_associated(function)) return
    call c_f_procpointer(function, target)
    call target(trim(text) // c_null_char)
  end subroutine

  subroutine loomp_task_label(label)
    character(*), intent(in) :: label
    call call_with("loomp_record_label", label)
  end subroutine

  subroutine loomp_region_begin(name)
    character(*), intent(in) :: name
    call call_with("loomp_record_region_begin", name)
  end subroutine

  subroutine loomp_region_end(name)
    character(*), intent(in), optional :: name
    type(c_funptr) :: function
    procedure(without_name), pointer :: target
    if (present(name)) then
      call call_with("loomp_record_region_end", name)
      return
    end if
    function = found("loomp_record_region_end")
    if (.not. c_associated(function)) return
    call c_f_procpointer(function, target)
    call target(c_null_ptr)
  end subroutine
end module
