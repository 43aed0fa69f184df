# Lists the layers, the recorders and their functions for libloomp-mpi (mpi/forward):
#   cmake -DOUT=FILE -DNM=nm -DREADELF=readelf -DLIBRARIES=FILE|FILE... -P MpiNames.cmake
# LOOMP_LIBRARY(WHICH, SONAME) for each MPI library, and LOOMP_FORWARD(NAME, NUMBER) for each
# function of these files with a name from MPI or a library over MPI. It skips C++ templates, which
# a program has, too.
string(REPLACE "|" ";" LIBRARIES "${LIBRARIES}")
set(text "")
set(names "")
foreach(file IN LISTS LIBRARIES)
  execute_process(COMMAND ${NM} -D --defined-only -f posix ${file} OUTPUT_VARIABLE symbols
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+ [TW] " lines "${symbols}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " .*" "" name "${line}")
    if(NOT name MATCHES "^(loomp_mpi_[a-z_]*|PMPI_.*|_Z.*)$")
      list(APPEND names ${name})
    endif()
  endforeach()
  if(file MATCHES "libloomp-mpi-([a-z]+)\\.so")
    set(which ${CMAKE_MATCH_1})
    execute_process(COMMAND ${READELF} -d ${file} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "\\[(libmpi[^]]*)\\]" soname "${dynamic}")
    string(APPEND text "LOOMP_LIBRARY(\"${which}\", \"${CMAKE_MATCH_1}\")\n")
  endif()
endforeach()
list(REMOVE_DUPLICATES names)
list(SORT names)
set(number 0)
foreach(name IN LISTS names)
  string(APPEND text "LOOMP_FORWARD(${name}, ${number})\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "// Made by cmake/MpiNames.cmake.\n${text}")
