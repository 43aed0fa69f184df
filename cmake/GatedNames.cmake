# Lists an MPI library's functions that only one thread may call at a time if it provides less than
# MPI_THREAD_MULTIPLE (mpi/adapters/gated_calls.cpp), and the linker's options that redirect them
# there:
#   loomp_gated_names(INC_FILE OPTIONS_FILE LIBRARY [FORTRAN_LIBRARY])
# The list excludes functions that any thread may call at any time, that return no integer, or whose
# arguments vary.
function(loomp_gated_names inc options library)
  set(text "// Made by cmake/GatedNames.cmake.\n")
  set(wraps "")
  set(free "Init|Init_thread|Initialized|Finalized|Query_thread|Is_thread_main|Abort|Pcontrol|Wtime|Wtick"
           "Aint_add|Aint_diff|Abi_.*|Get_version|Get_library_version|Status_[cf].*|T_.*|Session_.*")
  list(JOIN free "|" free)
  # PyPI's packages have a script for the linker that names the library.
  file(READ ${library} script LIMIT 200)
  if(script MATCHES "^INPUT\\(([^)]+)\\)")
    set(named ${CMAKE_MATCH_1})
    get_filename_component(folder ${library} DIRECTORY)
    set(library ${folder}/${named})
  endif()
  execute_process(COMMAND ${CMAKE_NM} -D --defined-only -f posix ${library} OUTPUT_VARIABLE symbols
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "(^|\n)PMPI_[A-Z][a-z][A-Za-z0-9_]* [TW] " names "${symbols}")
  foreach(name IN LISTS names)
    string(REGEX REPLACE "\n?PMPI_([^ ]*) .*" "\\1" name "${name}")
    if(NOT name MATCHES "^(${free})$" AND NOT name MATCHES "_fromint$|_toint$|_f08$|_f$")
      string(APPEND text "LOOMP_GATED(PMPI_${name}, MPI_${name})\n")
      string(APPEND wraps "--wrap=PMPI_${name}\n")
    endif()
  endforeach()
  # Open MPI's Fortran, which calls the library's own functions.
  if(ARGC GREATER 3)
    string(TOLOWER "${free}" free)
    execute_process(COMMAND ${CMAKE_NM} -D --defined-only -f posix ${ARGV3} OUTPUT_VARIABLE symbols
                    COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "(^|\n)ompi_[a-z0-9_]*_f [TW] " names "${symbols}")
    foreach(name IN LISTS names)
      string(REGEX REPLACE "\n?ompi_([^ ]*)_f .*" "\\1" name "${name}")
      if(NOT name MATCHES "^(${free})$" AND symbols MATCHES "\npmpi_${name}_ ")
        string(APPEND text "LOOMP_GATED(pmpi_${name}_, mpi_${name}_)\nLOOMP_ALSO(pmpi_${name}_, ompi_${name}_f)\n")
        string(APPEND wraps "--wrap=pmpi_${name}_\n")
      endif()
    endforeach()
  endif()
  file(CONFIGURE OUTPUT ${inc} CONTENT "${text}" @ONLY)
  file(CONFIGURE OUTPUT ${options} CONTENT "${wraps}" @ONLY)
endfunction()
