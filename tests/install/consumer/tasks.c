/* A program that uses the libraries over the runtime. Its region runs on loomp if it has a task of
 * its own there. */
#include <loomp/alpi.h>
#include <loomp/loomp_cuda.h>
#include <stdio.h>

int main(void) {
    struct alpi_task *initial = NULL, *implicit = NULL;
    alpi_task_self(&initial);
#pragma omp parallel num_threads(1)
    alpi_task_self(&implicit);
    printf("%d\n", initial != NULL && implicit != NULL && implicit != initial &&
                       loomp_cuda_wait_event != NULL);
    return 0;
}
