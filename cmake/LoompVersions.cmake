# Uses the lists of runtime/abi/exports.

# Sets OUT to the names in LIST, name@version, one a line; {a,b} stands for each of its
# alternatives.
function(loomp_read_exports list out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} left REGEX "^[^#]")
  set(names "")
  while(left)
    list(POP_FRONT left name)
    if(name MATCHES "^([^{]*){([^}]*)}(.*)$")
      set(before "${CMAKE_MATCH_1}")
      set(after "${CMAKE_MATCH_3}")
      string(REPLACE "," ";" alternatives "${CMAKE_MATCH_2}")
      foreach(alternative IN LISTS alternatives)
        list(APPEND left "${before}${alternative}${after}")
      endforeach()
    else()
      list(APPEND names ${name})
    endif()
  endwhile()
  list(SORT names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# Writes OUT, a version script, from TEMPLATE and libgomp's versions, whose names LIST has. omp_*
# get their versions in the objects (platform/export.h). A name without a version is local, by the
# first one.
function(loomp_write_version_script template list out)
  loomp_read_exports(${list} names)
  set(versions "")
  foreach(name IN LISTS names)
    string(REGEX REPLACE "^.*@" "" version ${name})
    list(APPEND versions ${version})
    if(name MATCHES "^(GOMP_.*)@")
      string(APPEND names_${version} "    ${CMAKE_MATCH_1};\n")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES versions)
  set(names_GOMP_1.0 "  global:\n${names_GOMP_1.0}  local:\n    *;\n")
  set(LOOMP_GOMP_VERSIONS "")
  foreach(version IN LISTS versions)
    string(APPEND LOOMP_GOMP_VERSIONS "${version} {\n${names_${version}}};\n")
  endforeach()
  configure_file(${template} ${out} @ONLY)
endfunction()

# Writes OUT, assembly in which each GOMP_* of LIST jumps to the function under libomp's version,
# because gcc's objects linked with libomp need GOMP_parallel@VERSION. The reference is weak:
# tests/exports names a missing function, and the library still links.
function(loomp_write_gomp_aliases list out)
  loomp_read_exports(${list} names)
  list(FILTER names INCLUDE REGEX "^GOMP_")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(jump "jmp ")
    set(through "@PLT")
  else()
    set(jump "b ")
    set(through "")
  endif()
  set(text ".text\n")
  foreach(name IN LISTS names)
    string(REGEX REPLACE "@.*" "" name ${name})
    string(APPEND text
      ".weak ${name}\n.globl ${name}.VERSION\n.type ${name}.VERSION, %function\n${name}.VERSION: ${jump}${name}${through}\n"
      ".size ${name}.VERSION, .-${name}.VERSION\n"
      ".symver ${name}.VERSION, ${name}@VERSION, remove\n")
  endforeach()
  string(APPEND text ".section .note.GNU-stack,\"\",%progbits\n")
  file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
endfunction()
