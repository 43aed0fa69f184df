# GOMP_* under libomp's version too: gcc's objects linked with libomp ask for GOMP_parallel@VERSION.
# Writes OUT, assembly in which each name that LIST has under VERSION is a jump to the function. The
# reference is weak: tests/exports names a function that is missing, and the library still links.
function(loomp_write_gomp_aliases list out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} names REGEX "^GOMP_.*@VERSION$")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(jump "jmp ")
    set(through "@PLT")
  else()
    set(jump "b ")
    set(through "")
  endif()
  set(text ".text\n")
  foreach(name IN LISTS names)
    string(REPLACE "@VERSION" "" name ${name})
    string(APPEND text
      ".weak ${name}\n.globl ${name}.VERSION\n.type ${name}.VERSION, %function\n${name}.VERSION: ${jump}${name}${through}\n"
      ".size ${name}.VERSION, .-${name}.VERSION\n"
      ".symver ${name}.VERSION, ${name}@VERSION, remove\n")
  endforeach()
  string(APPEND text ".section .note.GNU-stack,\"\",%progbits\n")
  file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
endfunction()
