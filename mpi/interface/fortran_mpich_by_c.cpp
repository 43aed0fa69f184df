// Routines of MPICH's for mpi_f08 that are C's functions: those that wait, probe, begin and end.
// Part of the layer and of the recorder, each of which has these functions.
#include "mpi/interface/fortran_mpich.h"

using namespace loomp::mpi;

LOOMP_EXPORT void mpi_init_f08_(int *code) { give(code, MPI_Init(nullptr, nullptr)); }
LOOMP_EXPORT void mpi_init_thread_f08_(const int *required, int *provided, int *code) {
    give(code, MPI_Init_thread(nullptr, nullptr, *required, provided));
}
LOOMP_EXPORT void mpi_finalize_f08_(int *code) { give(code, MPI_Finalize()); }

LOOMP_EXPORT void mpi_barrier_f08_(MPI_Comm *comm, int *code) { give(code, MPI_Barrier(*comm)); }

LOOMP_EXPORT void mpi_probe_f08_(const int *source, const int *tag, MPI_Comm *comm,
                                 MPI_Status *status, int *code) {
    give(code, MPI_Probe(*source, *tag, *comm, wanted(status)));
}
LOOMP_EXPORT void mpi_mprobe_f08_(const int *source, const int *tag, MPI_Comm *comm,
                                  MPI_Message *message, MPI_Status *status, int *code) {
    give(code, MPI_Mprobe(*source, *tag, *comm, message, wanted(status)));
}

LOOMP_EXPORT void mpi_wait_f08_(MPI_Request *request, MPI_Status *status, int *code) {
    give(code, MPI_Wait(request, wanted(status)));
}
LOOMP_EXPORT void mpi_waitall_f08_(const int *count, MPI_Request *requests, MPI_Status *statuses,
                                   int *code) {
    give(code, MPI_Waitall(*count, requests, wanted_all(statuses)));
}
LOOMP_EXPORT void mpi_waitany_f08_(const int *count, MPI_Request *requests, int *index,
                                   MPI_Status *status, int *code) {
    give(code, MPI_Waitany(*count, requests, index, wanted(status)));
    if (*index != MPI_UNDEFINED)
        ++*index;
}
LOOMP_EXPORT void mpi_waitsome_f08_(const int *count, MPI_Request *requests, int *completed,
                                    int *indices, MPI_Status *statuses, int *code) {
    give(code, MPI_Waitsome(*count, requests, completed, indices, wanted_all(statuses)));
    for (int i = 0; *completed != MPI_UNDEFINED && i < *completed; ++i)
        ++indices[i];
}
