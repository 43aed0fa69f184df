# A library of loomp's over the runtime, which lies beside it: what it exports is in the version script MAP.
function(loomp_library_over_runtime target map)
  add_library(loomp::${target} ALIAS ${target})
  target_link_options(${target} PRIVATE -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,now -Wl,-z,nodelete
                      -Wl,--version-script=${map})
  # clang's sanitizers are in the program, which has what is undefined in a library.
  if(NOT LOOMP_SANITIZE OR CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--no-undefined)
  endif()
  set_target_properties(${target} PROPERTIES BUILD_RPATH "\$ORIGIN" INSTALL_RPATH "\$ORIGIN"
                        BUILD_WITH_INSTALL_RPATH ON LINK_DEPENDS ${map})
  # Where `loomp run` has programs look for their libraries: also for those that are linked with this one.
  add_custom_command(TARGET ${target} POST_BUILD
                     COMMAND ${CMAKE_COMMAND} -E create_symlink ../lib${target}.so ${LOOMP_COMPAT}/lib${target}.so)
endfunction()
