// MPI_Wait and its kin. MPI_Test and its kin do not wait and are not taken over.
#include "mpi/export.h"
#include "mpi/wait.h"

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    return in_task() ? wait_for({.from = LOOMP_CALLER}, request, status)
                     : PMPI_Wait(request, status);
}

LOOMP_EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    return in_task()
               ? wait_all({.name = "MPI_Waitall", .from = LOOMP_CALLER}, count, requests, statuses)
               : PMPI_Waitall(count, requests, statuses);
}

LOOMP_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
    if (!in_task())
        return PMPI_Waitany(count, requests, index, status);
    return wait_until({.name = "MPI_Waitany", .from = LOOMP_CALLER}, [&](int *flag) {
        return PMPI_Testany(count, requests, index, flag, status);
    });
}

LOOMP_EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    if (!in_task())
        return PMPI_Waitsome(count, requests, completed, indices, statuses);
    return wait_until({.name = "MPI_Waitsome", .from = LOOMP_CALLER}, [&](int *flag) {
        const int error = PMPI_Testsome(count, requests, completed, indices, statuses);
        *flag = *completed != 0 ? 1 : 0; // MPI_UNDEFINED: none is active
        return error;
    });
}
