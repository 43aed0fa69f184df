# Makes ctest's tests from cases: each has a name, a label (its step), and runs alone within a time
# limit.
#   loomp_add_case(NAME LABEL [KIND silent|gtest|checks] [USUAL SECONDS] [BESIDE] [NIGHTLY] [SUITE NAME]
#                  [ENVIRONMENT NAME=VALUE...] COMMAND ...)
#     BESIDE   it only computes, and its result does not depend on time: it runs beside the others
#     NIGHTLY  ./test --nightly runs it, ./test does not
#     SUITE    its suite's `prepare` runs before it
#   loomp_add_absent_case(NAME LABEL WHY)
#     a case that cannot run on this machine: it is left out
#   loomp_add_suite(SUITE [LABEL])
#     the cases in tests/SUITE/cases.sh, tests/SUITE/cases/*.sh (tests/case) or tests/SUITE/cases.py
#     (tests/python_cases.py). Lines right above a case may say
#       # each: WORD...     a case for each word, SUITE_WORD_NAME, which gets it as an argument
#       # usual: SECONDS    what it takes, until tests/times has it
#       # beside            see BESIDE
#       # nightly           see NIGHTLY

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(LOOMP_TESTS ${CMAKE_CURRENT_LIST_DIR})
set(LOOMP_TESTS_WITHOUT "" CACHE STRING "The cases that a build does not have: a regular expression, or empty")
get_filename_component(LOOMP_TREE ${CMAKE_BINARY_DIR} NAME)

function(loomp_add_case name label)
  cmake_parse_arguments(PARSE_ARGV 2 case "BESIDE;NIGHTLY" "KIND;USUAL;SUITE" "ENVIRONMENT;COMMAND")
  if(LOOMP_TESTS_WITHOUT AND name MATCHES "${LOOMP_TESTS_WITHOUT}")
    return()
  endif()
  set(options)
  if(case_KIND)
    list(APPEND options --kind ${case_KIND})
  endif()
  if(case_USUAL)
    list(APPEND options --usual ${case_USUAL})
  endif()
  set(labels ${label})
  if(case_BESIDE)
    list(APPEND labels beside)
    list(APPEND options --beside)
  endif()
  if(case_NIGHTLY)
    list(APPEND labels nightly)
  endif()
  add_test(NAME ${name}
           COMMAND ${Python3_EXECUTABLE} -B ${LOOMP_TESTS}/limited ${options} ${LOOMP_TREE} ${name} ${case_COMMAND})
  # tests/limited has the time limit.
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 86400 SKIP_RETURN_CODE 77
                       ENVIRONMENT "${case_ENVIRONMENT}")
  if(case_SUITE)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${case_SUITE})
  endif()
endfunction()

# Adds a case that cannot run here, with the reason.
function(loomp_add_absent_case name label why)
  loomp_add_case(${name} ${label} COMMAND ${LOOMP_TESTS}/absent "${why}")
endfunction()

function(loomp_add_suite suite)
  set(label ${suite})
  if(ARGC GREATER 1)
    set(label ${ARGV1})
  endif()
  set(runner ${LOOMP_TESTS}/case ${CMAKE_BINARY_DIR})
  file(GLOB files CONFIGURE_DEPENDS ${LOOMP_TESTS}/${suite}/cases.sh ${LOOMP_TESTS}/${suite}/cases/*.sh)
  if(EXISTS ${LOOMP_TESTS}/${suite}/cases.py)
    set(runner ${Python3_EXECUTABLE} -B ${LOOMP_TESTS}/python_cases.py ${CMAKE_BINARY_DIR})
    set(files ${LOOMP_TESTS}/${suite}/cases.py)
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  loomp_add_case(${suite}_prepare ${label} KIND checks COMMAND ${runner} ${suite} prepare)
  set_tests_properties(${suite}_prepare PROPERTIES FIXTURES_SETUP ${suite})
  set(found 0)
  foreach(file IN LISTS files)
    set(words)
    set(options)
    file(READ ${file} text)
    string(REGEX REPLACE "[][;\\]" "" text "${text}") # these would join or split elements of the
                                                      # list
    string(REGEX REPLACE "\n" ";" text "${text}")
    set(lines ${text})
    set(declared ${lines})
    list(FILTER declared INCLUDE REGEX "^(async +)?(def +|function +)?case_[^ (]+ *(\\(|{|$)")
    list(LENGTH declared expected)
    math(EXPR expected "${expected} + ${found}")
    list(FILTER lines INCLUDE REGEX "^(# (each|usual): .*|# (beside|nightly)|case_[A-Za-z0-9_]+\\(\\) .*|def case_[A-Za-z0-9_]+\\(.*)$")
    foreach(line IN LISTS lines)
      if(line MATCHES "^# each: (.*)$")
        separate_arguments(words UNIX_COMMAND "${CMAKE_MATCH_1}")
      elseif(line MATCHES "^# usual: (.*)$")
        list(APPEND options USUAL ${CMAKE_MATCH_1})
      elseif(line STREQUAL "# beside")
        list(APPEND options BESIDE)
      elseif(line STREQUAL "# nightly")
        list(APPEND options NIGHTLY)
      elseif(line MATCHES "case_([A-Za-z0-9_]+)\\(")
        set(case ${CMAKE_MATCH_1})
        math(EXPR found "${found} + 1")
        if(NOT words)
          loomp_add_case(${suite}_${case} ${label} KIND checks SUITE ${suite} ${options} COMMAND ${runner} ${suite} ${case})
        endif()
        foreach(word IN LISTS words)
          loomp_add_case(${suite}_${word}_${case} ${label} KIND checks SUITE ${suite} ${options}
                         COMMAND ${runner} ${suite} ${case} ${word})
        endforeach()
        set(words)
        set(options)
      endif()
    endforeach()
    if(NOT found EQUAL expected)
      message(FATAL_ERROR "${file}: write cases as `case_NAME() {` or `def case_NAME(check):`, NAME of letters, digits and _")
    endif()
  endforeach()
  if(found EQUAL 0)
    message(FATAL_ERROR "tests/${suite} has no cases: expected functions case_NAME in cases.sh, cases/*.sh or cases.py")
  endif()
endfunction()
