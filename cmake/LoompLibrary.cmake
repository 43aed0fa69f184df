# Adds a loomp library over the runtime, in the runtime's folder. The version script MAP defines its
# exports.
function(loomp_library_over_runtime target map)
  add_library(loomp::${target} ALIAS ${target})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:loomp_operator_new>)
  target_link_options(${target} PRIVATE -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,now -Wl,-z,nodelete
                      -Wl,--version-script=${map})
  # clang's sanitizers are in the program, which defines a library's undefined symbols.
  if(NOT LOOMP_SANITIZE OR CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--no-undefined)
  endif()
  set_target_properties(${target} PROPERTIES BUILD_RPATH "\$ORIGIN" INSTALL_RPATH "\$ORIGIN"
                        BUILD_WITH_INSTALL_RPATH ON LINK_DEPENDS ${map})
  # `loomp run` makes programs search this folder; it also serves programs linked with this library.
  add_custom_command(TARGET ${target} POST_BUILD
                     COMMAND ${CMAKE_COMMAND} -E create_symlink ../lib${target}.so ${LOOMP_COMPAT}/lib${target}.so)
endfunction()
