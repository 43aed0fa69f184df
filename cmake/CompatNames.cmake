# cmake -DLIBRARY=.../libloomp.so -DFOLDER=.../compat -DNM=nm -DCC=cc -P CompatNames.cmake
#
# Fills the folder of the names under which programs look for their OpenMP runtime. Each is a
# separate library with LIBRARY's symbols and versions and no code: a filter, for which the loader
# searches LIBRARY first. Therefore
#
# - a program that is linked with one of them needs the runtime that it would need elsewhere;
# - tools that inspect a process (threadpoolctl) see a runtime's name that they know;
# - a process that needs several of them has one runtime.
set(names libomp.so.5 libomp.so libiomp5.so libgomp.so.1 libgomp.so)
# The library name that programs linked with it need.
set(asked_libomp.so libomp.so.5)
set(asked_libgomp.so libgomp.so.1)

file(MAKE_DIRECTORY ${FOLDER})
file(REMOVE ${FOLDER}/libloomp.so)
file(CREATE_LINK ../libloomp.so ${FOLDER}/libloomp.so SYMBOLIC)

execute_process(COMMAND ${NM} -D -S --defined-only ${LIBRARY}
  OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${listing}")

# The version of a name in libgomp, for linked programs: the last one.
foreach(line IN LISTS lines)
  if(line MATCHES " ([A-Za-z0-9_]+)@@?(G?OMP_[0-9.]+)$")
    if(NOT DEFINED latest_${CMAKE_MATCH_1} OR CMAKE_MATCH_2 STRGREATER "${latest_${CMAKE_MATCH_1}}")
      set(latest_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endif()
endforeach()

function(write_library name asked)
  set(map "")
  set(code "")
  set(number 0)
  foreach(line IN LISTS lines)
    if(line MATCHES " ompt_start_tool@")
      # loomp looks for a tool in the process, and must not find this one. The linker exports a
      # program's own one to the libraries that mention it.
      string(APPEND code ".data\n.weak ompt_start_tool\n.balign 8\n.quad ompt_start_tool\n")
    elseif(line MATCHES " A ([A-Za-z0-9_.]+)")
      string(APPEND map "${CMAKE_MATCH_1} { };\n")
    elseif(line MATCHES " alpi_")
      # A program may be linked with another runtime's ALPI: libloomp.so's comes after that.
    elseif(line MATCHES "^[0-9a-f]+ ([0-9a-f]+) ([A-Za-z]) ([A-Za-z0-9_]+)(@@?)([A-Za-z0-9_.]+)$")
      set(size 0x${CMAKE_MATCH_1})
      set(kind ${CMAKE_MATCH_2})
      set(symbol ${CMAKE_MATCH_3})
      set(at ${CMAKE_MATCH_4})
      set(version ${CMAKE_MATCH_5})
      if(asked MATCHES "gomp" AND DEFINED latest_${symbol})
        if(version STREQUAL "VERSION")
          continue()
        endif()
        set(at "@")
        if(version STREQUAL latest_${symbol})
          set(at "@@")
        endif()
      endif()
      math(EXPR number "${number} + 1")
      if(kind MATCHES "[RDB]")
        string(APPEND code ".data\n.type n${number},%object\n")
      else()
        string(APPEND code ".text\n.type n${number},%function\n")
        set(size 1)
      endif()
      string(APPEND code ".globl n${number}\nn${number}: .zero ${size}\n.size n${number},${size}\n"
        ".symver n${number},${symbol}${at}${version},remove\n")
    endif()
  endforeach()
  string(APPEND code ".section .note.GNU-stack,\"\",%progbits\n")
  file(WRITE ${FOLDER}/${name}.s "${code}")
  file(WRITE ${FOLDER}/${name}.map "${map}")
  file(REMOVE ${FOLDER}/${name})
  execute_process(COMMAND ${CC} -shared -nostdlib ${FOLDER}/${name}.s -o ${FOLDER}/${name}
    -Wl,-soname,${asked} -Wl,--version-script=${FOLDER}/${name}.map -Wl,-F,libloomp.so
    -Wl,-rpath,$ORIGIN COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${FOLDER}/${name}.s ${FOLDER}/${name}.map)
endfunction()

foreach(name IN LISTS names)
  set(asked ${name})
  if(DEFINED asked_${name})
    set(asked ${asked_${name}})
  endif()
  write_library(${name} ${asked})
endforeach()
