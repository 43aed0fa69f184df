! TAMPI's names for Fortran, as in TAMPI 3 (TAMPI 4 has none). The preprocessor includes this file
! before the program units that use the names, with `use mpi`, `use mpi_f08` or mpif.h:
! gfortran -cpp -fopenmp -I<prefix>/include/loomp ... -lloomp-mpi-openmpi (or -mpich).
! MPI_Init_thread accepts MPI_TASK_MULTIPLE. External subroutines:
!
!   TAMPI_Iwait(request, status, ierror), TAMPI_Iwaitall(count, requests, statuses, ierror)
!   TAMPI_Isend, _Ibcast ... (the arguments of MPI_Isend, MPI_Ibcast ..., request, ierror)
!   TAMPI_Irecv(buffer, count, type, source, tag, comm, request, status, ierror)
!   TAMPI_Property_get(property, value, ierror), TAMPI_Property_set(property, value, ierror)
!   TAMPI_Blocking_enabled(flag, ierror), TAMPI_Nonblocking_enabled(flag, ierror)
!   TAMPI_Init(required, provided, ierror), TAMPI_Finalize(ierror)
!
! TAMPI.h describes them; requests become MPI_REQUEST_NULL. ierror is not optional. They have no
! interfaces, so a file that passes buffers of several types needs gfortran's
! -fallow-argument-mismatch.
#ifndef TAMPIF_H
#define TAMPIF_H
#define MPI_TASK_MULTIPLE 4
#define TAMPI_PROPERTY_BLOCKING_MODE 1
#define TAMPI_PROPERTY_NONBLOCKING_MODE 2
#define TAMPI_PROPERTY_AUTO_INIT 3
#define TAMPI_PROPERTY_THREAD_TASKAWARE 4
#endif
