# Sets OUT to the compiler that scripts/compiler finds for NAME, or to nothing if none is installed.
function(loomp_compiler out name)
  execute_process(COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../scripts/compiler ${name}
                  OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
