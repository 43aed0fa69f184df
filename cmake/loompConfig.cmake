# find_package(loomp COMPONENTS mpi) offers these targets:
#   loomp::headers   include/loomp, for programs that are not linked with loomp
#   loomp::loomp     the runtime, with its extensions to OpenMP
#   loomp::alpi      ALPI, for task-aware libraries
#   loomp::cuda      tasks that wait for CUDA
#   loomp::mpi       MPI, with the layer for the MPI library that find_package(MPI) finds (component mpi)
include(CMakeFindDependencyMacro)
include(${CMAKE_CURRENT_LIST_DIR}/loompTargets.cmake)

if("mpi" IN_LIST loomp_FIND_COMPONENTS)
  find_dependency(MPI COMPONENTS C)
  include(CMakePushCheckState)
  include(CheckSymbolExists)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  check_symbol_exists(OPEN_MPI mpi.h LOOMP_MPI_IS_OPENMPI)
  check_symbol_exists(MPICH_VERSION mpi.h LOOMP_MPI_IS_MPICH)
  cmake_pop_check_state()
  if(LOOMP_MPI_IS_OPENMPI)
    set(loomp_layer loomp-mpi-openmpi)
  elseif(LOOMP_MPI_IS_MPICH)
    set(loomp_layer loomp-mpi-mpich)
  else()
    set(loomp_layer loomp-mpi-abi)
  endif()
  if(NOT TARGET loomp::${loomp_layer})
    set(loomp_FOUND FALSE)
    set(loomp_NOT_FOUND_MESSAGE "it was installed without lib${loomp_layer}.so, the layer for this MPI library")
  elseif(NOT TARGET loomp::mpi)
    add_library(loomp::mpi INTERFACE IMPORTED)
    target_link_libraries(loomp::mpi INTERFACE loomp::${loomp_layer} MPI::MPI_C)
  endif()
endif()
